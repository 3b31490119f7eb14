// The refused lines, in a file that can be fixed and imported; their reasons, one a line in the same order, in a second file beside
// it. They hold customers' data, so only their owner may read them.
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';

const OWNER_ONLY = 0o600;

export class RejectsFile {
  readonly reasonsPath: string;
  private readonly lines: number;
  private readonly reasons: number;
  private csvHeader: string | undefined;

  constructor(readonly path: string) {
    this.reasonsPath = `${path}.reasons`;
    this.lines = openForOwner(path);
    this.reasons = openForOwner(this.reasonsPath);
  }

  /** Of each CSV file, before its lines: all of them stand under one. */
  header(text: string): void {
    if (this.csvHeader === undefined) this.addPart(`${text}\n`);
    else if (this.csvHeader !== text) throw new Error('--rejects takes CSV of one header at a time');
    this.csvHeader = text;
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
