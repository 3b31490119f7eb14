// The progress of an import, on stderr: a bar with rate and time left on a terminal, a plain line every few seconds otherwise.
import type { ImportProgress } from '../import/import-lines.js';
import { printable } from '../problems/printable.js';
import { say } from './output.js';

const BAR_WIDTH = 24;
const PLAIN_EVERY_MS = 5_000;
const BAR_EVERY_MS = 200;
const CLEAR_LINE = '\r\u001b[K';

export class ProgressPrinter {
  private readonly started = performance.now();
  private readonly isTerminal = process.stderr.isTTY;
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
    this.timer = setInterval(() => this.print(), this.isTerminal ? BAR_EVERY_MS : PLAIN_EVERY_MS);
    this.timer.unref();
  }

  /** So that nothing is drawn over a question. */
  async pauseFor(work: () => Promise<void>): Promise<void> {
    this.stop();
    await work();
    this.start();
  }

  update(progress: ImportProgress): void {
    this.progress = progress;
  }

  say(message: string): void {
    if (this.isTerminal) process.stderr.write(CLEAR_LINE);
    say(message);
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.isTerminal) process.stderr.write(CLEAR_LINE);
  }

  private print(): void {
    if (!this.isTerminal) {
      say(`${this.name}: ${this.describe()}`);
      return;
    }
    // The name comes last, since a long line is cut.
    const line = `${this.describe()}  ${printable(this.name)}`;
    process.stderr.write(CLEAR_LINE + line.slice(0, (process.stderr.columns || 80) - 1));
  }

  private describe(): string {
    const { phase, bytes, lines } = this.progress;
    const seconds = (performance.now() - this.started) / 1000;
    const read = `${lines.toLocaleString('en')} lines`;
    if (phase !== 'reading') return `${PHASES[phase]} ${read}, ${duration(seconds)} so far`;
    const rate = `${Math.round(lines / seconds).toLocaleString('en')} lines/s`;
    if (this.totalBytes === undefined || bytes === 0) return `${read}, ${rate}`;
    const share = Math.min(bytes / this.totalBytes, 1);
    const left = duration((seconds * (1 - share)) / share);
    const percent = `${Math.floor(share * 100)} % read`;
    return `${this.isTerminal ? `${bar(share)} ` : ''}${percent}, ${rate}, ${left} left`;
  }
}

const PHASES = {
  waiting: 'waiting for another writer to merge',
  merging: 'merging',
  committing: 'committing',
};

function bar(share: number): string {
  const done = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR_WIDTH - done)}]`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
