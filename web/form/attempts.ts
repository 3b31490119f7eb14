// Doing something at the service when a button is pressed, and what comes of it.
import { useRef, useState } from 'preact/hooks';
import { ProblemError } from 'tank-monitoring-client';
import { isTrouble, type Trouble } from '../api/troubles.js';

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
