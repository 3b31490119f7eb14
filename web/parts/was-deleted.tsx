// In place of a tank or customer that was deleted: a way to bring it back as it was.
import type { ComponentChildren } from 'preact';
import { useAttempt } from '../form/attempts.js';
import { FailureBanner } from '../form/failure.js';
import { Instead } from './trouble.js';

interface Props {
  readonly title: string;
  /** What the button says; undefined: this visitor may not. */
  readonly label: string | undefined;
  readonly onRestore: () => Promise<void>;
  readonly children?: ComponentChildren;
}

export function WasDeleted({ title, label, onRestore, children }: Props) {
  const { trouble, attempt } = useAttempt();
  return (
    <>
      <FailureBanner trouble={trouble} />
      <Instead title={title}>
        <p>{children}</p>
        {label !== undefined && (
          <p>
            <button type="button" class="main-action" onClick={() => void attempt(onRestore)}>
              {label}
            </button>
          </p>
        )}
      </Instead>
    </>
  );
}
