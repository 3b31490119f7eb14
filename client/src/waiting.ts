// Waits that an abort ends at once. Listeners go with the wait: a signal may live much longer.

export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Ends the work when the signal is aborted or the time is over, also work that does not listen. */
export function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const ended = new AbortController();
    const end = (reason: unknown) => {
      tidy();
      ended.abort(reason);
      reject(reason);
    };
    const onAbort = () => end(signal?.reason);
    const isLate = () => end(new DOMException(`No answer within ${ms} ms.`, 'TimeoutError'));
    const timer = ms > LONGEST_TIMER_MS ? undefined : setTimeout(isLate, ms);
    const tidy = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort);
    work(ended.signal).then(resolve, reject).finally(tidy);
  });
}
