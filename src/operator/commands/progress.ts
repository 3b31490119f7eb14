// The progress of an import, on stderr: a line every few seconds.
import type { ImportProgress } from '../import/import-lines.js';
import { say } from './command.js';

const EVERY_MS = 5_000;
const PHASES = {
  waiting: 'waiting for another writer to merge',
  merging: 'merging',
  committing: 'committing',
};

export class ProgressPrinter {
  private readonly started = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private progress: ImportProgress = { phase: 'reading', bytes: 0, lines: 0 };

  constructor(
    private readonly name: string,
    /** Undefined when unknown, as of a pipe. */
    private readonly totalBytes: number | undefined,
  ) {
    this.start();
  }

  private start(): void {
    this.timer = setInterval(() => say(`${this.name}: ${this.describe()}`), EVERY_MS).unref();
  }

  /** So that nothing is printed after a question. */
  async pauseFor(work: () => Promise<void>): Promise<void> {
    this.stop();
    await work();
    this.start();
  }

  update(progress: ImportProgress): void {
    this.progress = progress;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private describe(): string {
    const { phase, bytes, lines } = this.progress;
    const seconds = (performance.now() - this.started) / 1000;
    const read = `${lines.toLocaleString('en')} lines`;
    if (phase !== 'reading') return `${PHASES[phase]} ${read}, ${Math.ceil(seconds)} s so far`;
    const rate = `${Math.round(lines / seconds).toLocaleString('en')} lines/s`;
    if (this.totalBytes === undefined || bytes === 0) return `${read}, ${rate}`;
    const share = Math.min(bytes / this.totalBytes, 1);
    const left = Math.ceil((seconds * (1 - share)) / share);
    return `${Math.floor(share * 100)} % read, ${rate}, ${left} s left`;
  }
}
