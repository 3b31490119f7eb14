// Writes log lines to standard output, in batches and with a bounded buffer: when they cannot be written (a full disk, a pipe
// that nobody reads), they are dropped and counted. Serving and stopping never wait for a pipe.
import { setTimeout as wait } from 'node:timers/promises';

const BATCH_CHARACTERS = 8_192;
const FLUSH_EVERY_MS = 100;
/** Some 20,000 requests. */
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;

class LogOutput {
  private waiting = '';
  private isWriting = false;
  private lost = 0;
  private unreported = 0;

  get dropped(): number {
    return this.lost;
  }

  /** Called once lines leave again after some were dropped. */
  onRecovery: (dropped: number) => void = () => undefined;

  open(): void {
    setInterval(() => this.flush(), FLUSH_EVERY_MS).unref();
    process.on('exit', () => process.stdout.write(this.waiting));
  }

  write(line: string): void {
    if (this.waiting.length + line.length > MAX_WAITING_CHARACTERS) return this.drop(1);
    this.waiting += line;
    if (this.waiting.length >= BATCH_CHARACTERS) this.flush();
  }

  /** Waits until everything has left, no longer than this. */
  async drain(milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while ((this.isWriting || this.waiting !== '') && performance.now() < deadline) {
      this.flush();
      await wait(5);
    }
  }

  private flush(): void {
    if (this.isWriting || this.waiting === '') return;
    this.isWriting = true;
    const batch = this.waiting;
    this.waiting = '';
    process.stdout.write(batch, (error) => this.written(error ? batch.split('\n').length - 1 : 0));
  }

  private written(lostLines: number): void {
    this.isWriting = false;
    if (lostLines > 0) return this.drop(lostLines);
    if (this.unreported === 0 || this.waiting.length >= MAX_WAITING_CHARACTERS / 2) return;
    const dropped = this.unreported;
    this.unreported = 0;
    this.onRecovery(dropped);
  }

  private drop(lines: number): void {
    this.lost += lines;
    this.unreported += lines;
  }
}

export const logOutput = new LogOutput();

/** Without a listener, Node ends the process when it cannot write to one of these. */
export function surviveLossOfOutput(): void {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}
