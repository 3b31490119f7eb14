// The refused lines, in a file that can be fixed and imported; their reasons, one a line in the same order, in a second file beside
// it. They hold customers' data, so only their owner may read them.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';

const BUFFERED_BYTES = 1 << 16;
const OWNER_ONLY = 0o600;

export class RejectsFile {
  private readonly lines: BufferedFile;
  private readonly reasons: BufferedFile;

  readonly reasonsPath: string;

  /** `header` is the first line of a CSV file. */
  constructor(
    readonly path: string,
    header?: string,
  ) {
    this.reasonsPath = `${path}.reasons`;
    this.lines = new BufferedFile(path);
    this.reasons = new BufferedFile(this.reasonsPath);
    if (header !== undefined) this.lines.write(`${header}\n`);
  }

  addPart(part: string | Buffer): void {
    this.lines.write(part);
  }

  endLine(reason: string): void {
    this.lines.write('\n');
    this.reasons.write(`${reason}\n`);
  }

  close(): void {
    this.lines.close();
    this.reasons.close();
  }
}

class BufferedFile {
  private readonly descriptor: number;
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, 'w', OWNER_ONLY);
    fchmodSync(this.descriptor, OWNER_ONLY); // one that was there before may have been readable for others
  }

  write(part: string | Buffer): void {
    const bytes = Buffer.from(part); // a copy: the caller's buffer is a piece of one that is reused
    this.parts.push(bytes);
    this.bytes += bytes.length;
    if (this.bytes >= BUFFERED_BYTES) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  private flush(): void {
    writeFileSync(this.descriptor, Buffer.concat(this.parts)); // appends, since it is given a descriptor
    this.parts = [];
    this.bytes = 0;
  }
}
