// A button for what cannot be undone: it is done once it is said twice.
import type { ComponentChildren } from 'preact';
import { Button } from './button.js';
import { DialogButton } from './dialog.js';
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
  return (
    <DialogButton class="dangerous" label={label} title={title}>
      {(close) => (
        <Question
          cancel={words.cancel}
          action={action}
          onCancel={close}
          onConfirm={() => {
            close();
            onConfirm();
          }}
        >
          {children}
        </Question>
      )}
    </DialogButton>
  );
}

interface QuestionProps extends Pick<Props, 'action' | 'onConfirm' | 'children'> {
  readonly cancel: string;
  readonly onCancel: () => void;
}

/** What a dialog asks, below its title. */
export function Question({ cancel, onCancel, action, onConfirm, children }: QuestionProps) {
  return (
    <>
      <p>{children}</p>
      <div class="actions">
        <Button onClick={onCancel}>{cancel}</Button>
        {action !== undefined && (
          <Button class="dangerous" onClick={onConfirm}>
            {action}
          </Button>
        )}
      </div>
    </>
  );
}
