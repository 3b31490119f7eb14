// A button for what cannot be undone: it is done once it is said twice.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { words } from '../words/words.js';

interface Props {
  readonly label: string;
  readonly title: string;
  /** Undefined: it cannot be done, and is said why. */
  readonly action: string | undefined;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}

export function Confirm({ label, title, action, onConfirm, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirm = () => {
    dialog.current?.close();
    onConfirm();
  };
  return (
    <>
      <button type="button" class="dangerous" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby="confirm">
        <h2 id="confirm">{title}</h2>
        <p>{children}</p>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {words.cancel}
          </button>
          {action !== undefined && (
            <button type="button" class="dangerous" onClick={confirm}>
              {action}
            </button>
          )}
        </div>
      </dialog>
    </>
  );
}
