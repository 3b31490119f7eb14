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

interface Sender {
  /** Reports how many lines could not be written. */
  send(text: string, done: (lost: number) => void): void;
  /** For the last moment of the process: what cannot be written at once is lost. */
  sendNow(text: string): void;
}

export class LogOutput {
  private sender: Sender | undefined;
  private waiting = '';
  private isWriting = false;
  private lost = 0;
  private unreported = 0;

  constructor(private readonly openSender: () => Sender = openStandardOutput) {}

  /** How many lines were dropped since the start. */
  get dropped(): number {
    return this.lost;
  }

  /** Called once lines leave again after some were dropped. */
  onRecovery: (dropped: number) => void = () => undefined;

  open(): void {
    this.sender = this.openSender();
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
    this.sender?.send(batch, (lost) => {
      this.isWriting = false;
      if (lost > 0) this.drop(lost);
      else if (this.unreported > 0 && this.waiting.length < MAX_WAITING_CHARACTERS / 2) this.reportRecovery();
    });
  }

  flushSync(): void {
    const rest = this.waiting;
    this.waiting = '';
    if (rest !== '') this.sender?.sendNow(rest);
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

  private reportRecovery(): void {
    const dropped = this.unreported;
    this.unreported = 0;
    this.onRecovery(dropped);
  }
}

export const logOutput = new LogOutput();

/** Without a listener, Node ends the process when it cannot write to one of these. */
export function surviveLossOfOutput(): void {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}

function openStandardOutput(): Sender {
  return process.stdout instanceof Socket ? new PipeSender(process.stdout) : new FileSender();
}

/** A pipe or a socket. Node writes to these without blocking; a thread that hangs in a write would keep the process from ending. */
class PipeSender implements Sender {
  constructor(private readonly pipe: Socket) {}

  send(text: string, done: (lost: number) => void): void {
    this.pipe.write(text, (error) => done(error ? linesIn(text) : 0));
  }

  sendNow(text: string): void {
    this.pipe.write(text);
  }
}

class FileSender implements Sender {
  /** A disk that fills up may take half a line; the next one then starts on a line of its own. */
  private isTorn = false;

  send(text: string, done: (lost: number) => void): void {
    const bytes = Buffer.from(this.isTorn ? `\n${text}` : text);
    const writeFrom = (start: number): void =>
      write(STDOUT, bytes, start, (error, written) => {
        const end = start + written;
        if (error !== null) {
          this.isTorn ||= start > 0;
          done(linesIn(bytes.toString('utf8', start)));
        } else if (end < bytes.length) {
          writeFrom(end);
        } else {
          this.isTorn = false;
          done(0);
        }
      });
    writeFrom(0);
  }

  sendNow(text: string): void {
    try {
      writeSync(STDOUT, text);
    } catch {
      // The process ends; there is nowhere left to report it.
    }
  }
}

function linesIn(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines++;
  return lines;
}
