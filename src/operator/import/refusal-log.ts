// Keeps track of refused lines: reports the first ones, counts all of them by reason, writes each to the rejects file.
import { writeMessage, quote, type Fault } from '../../common/validation/fault.js';
import { printable } from '../../common/problems/printable.js';
import type { RejectsFile } from './rejects-file.js';
import type { Kind } from './report.js';

export const MAX_REPORTED = 20;
/** A file of nothing but bad objects must not fill the memory. */
const MAX_REMEMBERED = 100_000;

type Refused = Kind | 'unreadable';

/** All that is wrong with a line, so that it can be fixed at once. */
export class RefusedLine extends Error {
  readonly reasons: readonly string[];

  constructor(...faults: readonly Fault[]) {
    super(faults.map(writeMessage).join('; '));
    this.reasons = [...new Set(faults.map(({ reason }) => reason))];
  }
}

export class RefusalLog {
  readonly byKind: Record<Refused, number> = { customers: 0, tanks: 0, telemetry: 0, unreadable: 0 };
  private readonly byReason = new Map<string, number>();
  /** Of refused objects, by kind and id. */
  private readonly lineOf = new Map<string, number>();
  private reported = 0;

  /** `name` is what messages call the file. */
  constructor(
    private readonly name: string,
    private readonly report: (message: string) => void,
    readonly rejects: RejectsFile | undefined,
  ) {}

  get count(): number {
    const { customers, tanks, telemetry, unreadable } = this.byKind;
    return customers + tanks + telemetry + unreadable;
  }

  get needsLines(): boolean {
    return this.rejects !== undefined;
  }

  /** How many more refused lines are needed one by one; the rest may only be counted. */
  get needed(): number {
    return this.needsLines ? Infinity : Math.max(MAX_REPORTED - this.reported, 0);
  }

  refuse(kind: Refused, refused: RefusedLine, number: number, line: string | Buffer): void {
    this.rejects?.addPart(line);
    this.endLine(kind, refused, number);
  }

  /** All parts of the line are in the rejects file. */
  endLine(kind: Refused, refused: RefusedLine, number: number): void {
    const message = printable(`${this.name}:${number}: ${refused.message}`);
    this.rejects?.endLine(message);
    this.reported += 1;
    if (this.reported <= MAX_REPORTED) this.report(message);
    this.countOnly(kind, refused.reasons, 1);
  }

  countOnly(kind: Refused, reasons: readonly string[], lines: number): void {
    this.byKind[kind] += lines;
    for (const reason of reasons) this.byReason.set(reason, (this.byReason.get(reason) ?? 0) + lines);
  }

  /** An object's line was refused; see describeUnknown(). */
  remember(kind: Kind, id: unknown, line: number): void {
    if (typeof id === 'string' && this.lineOf.size < MAX_REMEMBERED) this.lineOf.set(`${kind} ${id}`, line);
  }

  /** An id that is not known, and its line if that was refused in this file. */
  describeUnknown(kind: Kind, id: string): string {
    const line = this.lineOf.get(`${kind} ${id}`);
    return line === undefined ? quote(id) : `${quote(id)}, whose own line ${line} was refused`;
  }

  reasons(): { reason: string; lines: number }[] {
    return [...this.byReason]
      .map(([reason, lines]) => ({ reason, lines }))
      .toSorted((a, b) => b.lines - a.lines || (a.reason < b.reason ? -1 : 1));
  }
}
