// A button for what cannot be undone: it is done once it is said twice.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.js';
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
      <Button class="dangerous" onClick={() => dialog.current?.showModal()}>
        {label}
      </Button>
      <dialog ref={dialog} aria-labelledby="confirm">
        <h2 id="confirm">{title}</h2>
        <p>{children}</p>
        <div class="actions">
          <Button onClick={() => dialog.current?.close()}>{words.cancel}</Button>
          {action !== undefined && (
            <Button class="dangerous" onClick={confirm}>
              {action}
            </Button>
          )}
        </div>
      </dialog>
    </>
  );
}
