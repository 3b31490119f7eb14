// Doing something at the service when a button is pressed, what comes of it, and what is said when it was not done.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ConnectionError, ProblemError } from 'tank-monitoring-client';
import { detailOf, isTrouble, type Trouble } from '../api/troubles.js';
import { Icon } from '../parts/icons.js';
import { RequestId } from '../parts/trouble.js';
import { words } from '../words/words.js';

/** One at a time, however often a button is pressed, with the trouble of the last one. */
export function useAttempt() {
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const attempt = async (act: () => Promise<void>) => {
    if (latest.current) return;
    setIsBusy((latest.current = true));
    setTrouble(undefined);
    try {
      await act();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      setTrouble(error);
    } finally {
      setIsBusy((latest.current = false));
    }
  };
  return { isBusy, trouble, attempt };
}

/** Buttons that do something with what is shown: what each has done is said beside them, and `onChanged` follows. */
export function useActs(onChanged: () => void) {
  const { isBusy, trouble, attempt } = useAttempt();
  const [result, setResult] = useState('');
  /** `what` returns the sentence that is shown when it is done; undefined: it has led elsewhere. */
  const act = (what: () => Promise<string | undefined>) =>
    void attempt(async () => {
      setResult('');
      const said = await what();
      if (said === undefined) return;
      setResult(said);
      onChanged();
    });
  return { isBusy, trouble, result, act };
}

interface ActsProps {
  readonly of: Pick<ReturnType<typeof useActs>, 'trouble' | 'result'>;
  readonly children: ComponentChildren;
}

export function Acts({ of: { trouble, result }, children }: ActsProps) {
  return (
    <>
      <FailureBanner trouble={trouble} />
      <div class="actions">
        {children}
        <p role="status">{result}</p>
      </div>
    </>
  );
}

/** False when the object is not that version any more. */
export async function unlessOvertaken(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 412) return false;
    throw error;
  }
}

interface FailureProps {
  readonly trouble: Trouble | undefined;
  /** How many fields it is about; their faults stand beside them. */
  readonly wrong?: number;
}

export function FailureBanner({ trouble, wrong = 0 }: FailureProps) {
  if (trouble === undefined) return null;
  const isUnknown = trouble instanceof ConnectionError;
  return (
    <div class="trouble">
      <Icon name="warning" />
      <div>
        <p role="alert">
          <strong>{isUnknown ? words.trouble.noAnswer : words.trouble.notDone}</strong>{' '}
          {wrong === 0 ? detailOf(trouble) : words.trouble.toPutRight(wrong)}
          {isUnknown && words.trouble.notTwice}
        </p>
        {wrong === 0 && <RequestId trouble={trouble} />}
      </div>
    </div>
  );
}
