// The progress of an import, on stderr: a line every few seconds.
import type { ImportProgress } from '../import/import-lines.js';
import { say } from './command.js';

const EVERY_MS = 5_000;
const PHASES = {
  waiting: 'waiting for another writer to merge',
  merging: 'merging',
  committing: 'committing',
};

/** `totalBytes` is undefined when unknown, as of a pipe. */
export function printProgress(name: string, totalBytes: number | undefined) {
  const started = performance.now();
  let progress: ImportProgress = { phase: 'reading', bytes: 0, lines: 0 };
  const print = (): void => say(`${name}: ${describe(progress, totalBytes, started)}`);
  const start = () => setInterval(print, EVERY_MS).unref();
  let timer = start();
  return {
    update: (now: ImportProgress): void => void (progress = now),
    stop: (): void => clearInterval(timer),
    /** So that nothing is printed after a question. */
    pauseFor: async (work: () => Promise<void>): Promise<void> => {
      clearInterval(timer);
      await work();
      timer = start();
    },
  };
}

function describe(
  { phase, bytes, lines }: ImportProgress,
  totalBytes: number | undefined,
  started: number,
): string {
  const seconds = (performance.now() - started) / 1000;
  const read = `${lines.toLocaleString('en')} lines`;
  if (phase !== 'reading') return `${PHASES[phase]} ${read}, ${Math.ceil(seconds)} s so far`;
  const rate = `${Math.round(lines / seconds).toLocaleString('en')} lines/s`;
  if (totalBytes === undefined || bytes === 0) return `${read}, ${rate}`;
  const share = Math.min(bytes / totalBytes, 1);
  const left = Math.ceil((seconds * (1 - share)) / share);
  return `${Math.floor(share * 100)} % read, ${rate}, ${left} s left`;
}
