// Splits a stream of bytes into numbered lines, holding no more than one slice and the start of one line.
import { isUtf8 } from 'node:buffer';

export const MAX_LINE_BYTES = 1 << 20;
/** Smaller than a line that is too long, so such lines always come in parts. */
export const SLICE_BYTES = 1 << 18;

const NEWLINE = 10;
const BOM = '\uFEFF';

export interface LineSink {
  /** May be blank, and may end in a carriage return. */
  line(text: string, number: number): void;
  notUtf8(bytes: Buffer, number: number): void;
  /** A part of a line over the limit. */
  tooLong(part: Buffer, number: number, isLastPart: boolean): void;
  end(): void;
}

export class LineSplitter {
  /** Lines met so far, the blank ones included. */
  lines = 0;
  private start: Buffer[] = [];
  private startBytes = 0;
  private isTooLong = false;

  constructor(private readonly sink: LineSink) {}

  /** At most SLICE_BYTES at a time. */
  feed(slice: Buffer): void {
    const firstEnd = slice.indexOf(NEWLINE);
    if (firstEnd < 0) return this.keep(slice);
    const lastEnd = slice.lastIndexOf(NEWLINE);
    this.keep(slice.subarray(0, firstEnd));
    this.endLine();
    if (lastEnd > firstEnd) this.splitBlock(slice.subarray(firstEnd + 1, lastEnd));
    this.keep(slice.subarray(lastEnd + 1));
  }

  /** The last line may lack its newline. */
  finish(): void {
    if (this.startBytes > 0 || this.isTooLong) this.endLine();
    this.sink.end();
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.isTooLong) return this.sink.tooLong(part, this.lines + 1, false);
    this.start.push(part);
    this.startBytes += part.length;
    if (this.startBytes <= MAX_LINE_BYTES) return;
    this.isTooLong = true;
    for (const held of this.start) this.sink.tooLong(held, this.lines + 1, false);
    this.clearStart();
  }

  private endLine(): void {
    if (this.isTooLong) {
      this.lines += 1;
      this.isTooLong = false;
      this.sink.tooLong(Buffer.alloc(0), this.lines, true);
      return;
    }
    const [first] = this.start;
    const line = this.start.length === 1 && first !== undefined ? first : Buffer.concat(this.start);
    this.clearStart();
    this.splitBlock(line);
  }

  private clearStart(): void {
    this.start = [];
    this.startBytes = 0;
  }

  /** Whole lines without the last newline. They are decoded together: one by one costs more than parsing them. */
  private splitBlock(block: Buffer): void {
    if (!isUtf8(block)) return this.splitInvalidBlock(block);
    const text = block.toString('utf8');
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.emit(text.slice(start, end));
      start = end + 1;
    }
    this.emit(start === 0 ? text : text.slice(start));
  }

  private splitInvalidBlock(block: Buffer): void {
    let start = 0;
    while (start <= block.length) {
      const newline = block.indexOf(NEWLINE, start);
      const end = newline < 0 ? block.length : newline;
      const line = block.subarray(start, end);
      if (isUtf8(line)) {
        this.emit(line.toString('utf8'));
      } else {
        this.lines += 1;
        this.sink.notUtf8(line, this.lines);
      }
      start = end + 1;
    }
  }

  private emit(line: string): void {
    this.lines += 1;
    this.sink.line(this.lines === 1 && line.startsWith(BOM) ? line.slice(1) : line, this.lines);
  }
}
