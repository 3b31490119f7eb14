// Every dialog of the page. It is made when it opens and gone when it is closed: what is entered in it begins with what is stored then.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from './button.js';

interface Props {
  readonly title: string;
  readonly class?: string | undefined;
  /** Whether the title is only for those who do not see it. */
  readonly isTitleHidden?: boolean;
  readonly onClose: () => void;
  readonly children: (close: () => void) => ComponentChildren;
}

export function Dialog({ title, class: look, isTitleHidden = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={look} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading} class={isTitleHidden ? 'for-ears' : undefined}>
        {title}
      </h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

interface ButtonProps extends Pick<Props, 'title' | 'children'> {
  readonly label: ComponentChildren;
  readonly class?: string | undefined;
}

/** A button and the dialog that it opens. */
export function DialogButton({ label, class: look, ...dialog }: ButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button class={look} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && <Dialog {...dialog} onClose={() => setIsOpen(false)} />}
    </>
  );
}
