// Writes log lines to standard output, in batches and with a bounded buffer: when they cannot be written (a full disk, a pipe
// that nobody reads), they are dropped and counted. Serving and stopping never wait for them.
import { write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const BATCH_CHARACTERS = 8_192;
const FLUSH_EVERY_MS = 100;
/** Some 20,000 requests. */
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;
const STDOUT = 1;

export class LogOutput {
  private pipe: Socket | undefined;
  /** A disk that fills up may take half a line; the next one then starts on a line of its own. */
  private isTorn = false;
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
    // Node writes to a pipe without blocking; a thread that hangs in a write would keep the process from ending.
    if (process.stdout instanceof Socket) this.pipe = process.stdout;
    setInterval(() => this.flush(), FLUSH_EVERY_MS).unref();
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.waiting.length + line.length > MAX_WAITING_CHARACTERS) return this.drop(1);
    this.waiting += line;
    if (this.waiting.length >= BATCH_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.isWriting || this.waiting === '') return;
    this.isWriting = true;
    const batch = this.waiting;
    this.waiting = '';
    if (this.pipe === undefined) this.writeToFile(batch);
    else this.pipe.write(batch, (error) => this.written(error ? linesIn(batch) : 0));
  }

  flushSync(): void {
    const rest = this.waiting;
    this.waiting = '';
    if (rest === '') return;
    try {
      if (this.pipe === undefined) writeSync(STDOUT, rest);
      else this.pipe.write(rest);
    } catch {
      // The process ends; there is nowhere left to report it.
    }
  }

  /** Waits until everything has left, no longer than this. */
  async drain(milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while ((this.isWriting || this.waiting !== '') && performance.now() < deadline) {
      this.flush();
      await wait(5);
    }
  }

  private drop(lines: number): void {
    this.lost += lines;
    this.unreported += lines;
  }

  private written(lostLines: number): void {
    this.isWriting = false;
    if (lostLines > 0) return this.drop(lostLines);
    if (this.unreported === 0 || this.waiting.length >= MAX_WAITING_CHARACTERS / 2) return;
    const dropped = this.unreported;
    this.unreported = 0;
    this.onRecovery(dropped);
  }

  private writeToFile(text: string): void {
    const bytes = Buffer.from(this.isTorn ? `\n${text}` : text);
    const writeFrom = (start: number): void =>
      write(STDOUT, bytes, start, (error, written) => {
        const end = start + written;
        if (error !== null) {
          this.isTorn ||= start > 0;
          this.written(linesIn(bytes.toString('utf8', start)));
        } else if (end < bytes.length) {
          writeFrom(end);
        } else {
          this.isTorn = false;
          this.written(0);
        }
      });
    writeFrom(0);
  }
}

export const logOutput = new LogOutput();

/** Without a listener, Node ends the process when it cannot write to one of these. */
export function surviveLossOfOutput(): void {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}

function linesIn(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines++;
  return lines;
}
