// The refused lines, in a file that can be fixed and imported; their reasons, one a line in the same order, in a second file beside
// it. They hold customers' data, so only their owner may read them.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';

const OWNER_ONLY = 0o600;

export class RejectsFile {
  readonly reasonsPath: string;
  private readonly lines: number;
  private readonly reasons: number;

  /** `header` is the first line of a CSV file. */
  constructor(
    readonly path: string,
    header?: string,
  ) {
    this.reasonsPath = `${path}.reasons`;
    this.lines = openForOwner(path);
    this.reasons = openForOwner(this.reasonsPath);
    if (header !== undefined) this.addPart(`${header}\n`);
  }

  addPart(part: string | Buffer): void {
    writeFileSync(this.lines, part); // appends, since it is given a descriptor
  }

  endLine(reason: string): void {
    this.addPart('\n');
    writeFileSync(this.reasons, `${reason}\n`);
  }

  close(): void {
    closeSync(this.lines);
    closeSync(this.reasons);
  }
}

function openForOwner(path: string): number {
  const descriptor = openSync(path, 'w', OWNER_ONLY);
  fchmodSync(descriptor, OWNER_ONLY); // one that was there before may have been readable for others
  return descriptor;
}
