// Cuts a stream of bytes into numbered lines, without ever holding more than one slice and one line's beginning.
import { isUtf8 } from 'node:buffer';

export const MAX_LINE_BYTES = 1 << 20;
/** No slice holds a whole line that is too long, so such lines are always met in parts. */
export const SLICE_BYTES = 1 << 18;

const NEWLINE = 10;
const BOM = '\uFEFF';

export interface LineSink {
  /** As it came, blank or not; with its carriage return, if it has one. */
  line(text: string, number: number): void;
  notUtf8(bytes: Buffer, number: number): void;
  /** A line over the limit, handed over part by part. */
  tooLong(part: Buffer, number: number, isLastPart: boolean): void;
  /** That was the last line. */
  end(): void;
}

export class LineSplitter {
  /** Lines met so far, the blank ones included. */
  lines = 0;
  private beginning: Buffer[] = [];
  private beginningBytes = 0;
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
    if (this.beginningBytes > 0 || this.isTooLong) this.endLine();
    this.sink.end();
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.isTooLong) return this.sink.tooLong(part, this.lines + 1, false);
    this.beginning.push(part);
    this.beginningBytes += part.length;
    if (this.beginningBytes <= MAX_LINE_BYTES) return;
    this.isTooLong = true;
    for (const held of this.beginning) this.sink.tooLong(held, this.lines + 1, false);
    this.forgetBeginning();
  }

  private endLine(): void {
    if (this.isTooLong) {
      this.lines += 1;
      this.isTooLong = false;
      this.sink.tooLong(Buffer.alloc(0), this.lines, true);
      return;
    }
    const [first] = this.beginning;
    const line = this.beginning.length === 1 && first !== undefined ? first : Buffer.concat(this.beginning);
    this.forgetBeginning();
    this.splitBlock(line);
  }

  private forgetBeginning(): void {
    this.beginning = [];
    this.beginningBytes = 0;
  }

  /** Whole lines without the last newline. They are decoded together: one by one costs more than parsing them. */
  private splitBlock(block: Buffer): void {
    if (!isUtf8(block)) return this.splitDoubtfulBlock(block);
    const text = block.toString('utf8');
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.handOver(text.slice(start, end));
      start = end + 1;
    }
    this.handOver(start === 0 ? text : text.slice(start));
  }

  private splitDoubtfulBlock(block: Buffer): void {
    let start = 0;
    while (start <= block.length) {
      const newline = block.indexOf(NEWLINE, start);
      const end = newline < 0 ? block.length : newline;
      const line = block.subarray(start, end);
      if (isUtf8(line)) {
        this.handOver(line.toString('utf8'));
      } else {
        this.lines += 1;
        this.sink.notUtf8(line, this.lines);
      }
      start = end + 1;
    }
  }

  private handOver(line: string): void {
    this.lines += 1;
    this.sink.line(this.lines === 1 && line.startsWith(BOM) ? line.slice(1) : line, this.lines);
  }
}
