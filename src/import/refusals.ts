// Keeps account of refused lines: tells the first ones, counts them all by reason, hands each to the rejects file.
import { printable } from '../problems/printable.js';
import { quote } from '../problems/quote.js';
import type { RefusedLine } from './refused-line.js';
import type { RejectsFile } from './rejects-file.js';
import type { Kind } from './report.js';

export const TOLD_REFUSALS = 20;

/** A file of nothing but faulty objects must not fill the memory. */
const MAX_REMEMBERED = 100_000;

type Refused = Kind | 'unreadable';

export interface RefusalListener {
  /** What messages call the file. */
  readonly name: string;
  readonly tell: (message: string) => void;
  readonly rejects: RejectsFile | undefined;
}

export class Refusals {
  readonly byKind: Record<Refused, number> = { customers: 0, tanks: 0, telemetry: 0, unreadable: 0 };
  private readonly byReason = new Map<string, number>();
  /** Of refused objects, by kind and id. */
  private readonly lineOf = new Map<string, number>();
  private told = 0;

  constructor(private readonly listener: RefusalListener) {}

  get count(): number {
    const { customers, tanks, telemetry, unreadable } = this.byKind;
    return customers + tanks + telemetry + unreadable;
  }

  /** Are the lines themselves needed again? */
  get keepsLines(): boolean {
    return this.listener.rejects !== undefined;
  }

  /** How many more refused lines have to be looked at one by one; the rest may be counted only. */
  get toBeTold(): number {
    return this.keepsLines ? Infinity : Math.max(TOLD_REFUSALS - this.told, 0);
  }

  refuse(kind: Refused, refused: RefusedLine, number: number, line: string | Buffer): void {
    this.refusePart(line);
    this.refuseParts(kind, refused, number);
  }

  /** A part of a line that is refused and too long to be held. */
  refusePart(part: string | Buffer): void {
    this.listener.rejects?.addPart(part);
  }

  /** The line whose parts were handed over before. */
  refuseParts(kind: Refused, refused: RefusedLine, number: number): void {
    const message = printable(`${this.listener.name}:${number}: ${refused.message}`);
    this.listener.rejects?.endLine(message);
    this.told += 1;
    if (this.told <= TOLD_REFUSALS) this.listener.tell(message);
    this.countOnly(kind, refused.reasons, 1);
  }

  countOnly(kind: Refused, reasons: readonly string[], lines: number): void {
    this.byKind[kind] += lines;
    for (const reason of reasons) this.byReason.set(reason, (this.byReason.get(reason) ?? 0) + lines);
  }

  /** An object's line was refused: whoever refers to the object is told. */
  remember(kind: Kind, id: unknown, line: number): void {
    if (typeof id === 'string' && this.lineOf.size < MAX_REMEMBERED) this.lineOf.set(`${kind} ${id}`, line);
  }

  /** What to say of an object that is not known: its id, and where it was refused if it was in this file. */
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
