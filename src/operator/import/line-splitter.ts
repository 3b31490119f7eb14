// Splits a stream of bytes into numbered lines, holding no more than the start of one line.
import { isUtf8 } from 'node:buffer';

export const MAX_LINE_BYTES = 1 << 20;
const NEWLINE = 10;
const BOM = '\uFEFF';

export interface LineSink {
  /** May be blank, and may end in a carriage return. */
  line(text: string, number: number): void;
  /** A part of a line that is not UTF-8, or too long to be held; with the last part, why. */
  unreadable(part: Buffer, number: number, reason?: string): void;
  end(): void;
}

export class LineSplitter {
  /** Lines met so far, the blank ones included. */
  lines = 0;
  private start: Buffer[] = [];
  private startBytes = 0;
  private isTooLong = false;

  constructor(private readonly sink: LineSink) {}

  feed(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (this.startBytes === 0 && end - start <= MAX_LINE_BYTES) this.take(chunk, start, end);
      else this.endKept(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  /** The last line may lack its newline. */
  finish(): void {
    if (this.startBytes > 0) this.endKept(Buffer.alloc(0));
    this.sink.end();
  }

  private keep(part: Buffer): void {
    this.startBytes += part.length;
    this.start.push(part);
    if (this.startBytes <= MAX_LINE_BYTES) return;
    this.isTooLong = true;
    for (const held of this.start) this.sink.unreadable(held, this.lines + 1);
    this.start = [];
  }

  private endKept(last: Buffer): void {
    this.keep(last);
    const { start, isTooLong } = this;
    this.start = [];
    this.startBytes = 0;
    this.isTooLong = false;
    const line = Buffer.concat(start);
    if (!isTooLong) return this.take(line, 0, line.length);
    this.lines += 1;
    this.sink.unreadable(line, this.lines, `longer than ${MAX_LINE_BYTES} bytes`);
  }

  /** A whole line. Bytes that are not UTF-8 are decoded as U+FFFD, which a line may also really hold. */
  private take(bytes: Buffer, start: number, end: number): void {
    this.lines += 1;
    const text = bytes.toString('utf8', start, end);
    if (text.includes('\uFFFD') && !isUtf8(bytes.subarray(start, end)))
      this.sink.unreadable(bytes.subarray(start, end), this.lines, 'not UTF-8');
    else this.sink.line(this.lines === 1 && text.startsWith(BOM) ? text.slice(1) : text, this.lines);
  }
}
