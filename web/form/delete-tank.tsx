// Deletes the tank, once it is said twice.
import { useRef } from 'preact/hooks';

export function DeleteTank({ name, onDelete }: { readonly name: string; readonly onDelete: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirm = () => {
    dialog.current?.close();
    onDelete();
  };
  return (
    <>
      <button type="button" class="dangerous" onClick={() => dialog.current?.showModal()}>
        Delete this tank…
      </button>
      <dialog ref={dialog} aria-labelledby="delete">
        <h2 id="delete">Delete {name}?</h2>
        <p>It leaves the fleet, and its device is free for another tank. Its readings are kept.</p>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="dangerous" onClick={confirm}>
            Delete
          </button>
        </div>
      </dialog>
    </>
  );
}
