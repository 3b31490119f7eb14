// The readings of one request: the good ones in columns, as the database takes them, and the errors of the refused ones.
import { MAX_FAULTS, writeMessage, quote } from '../../common/validation/fault.js';
import { AHEAD, isAhead, textFault } from '../../common/validation/values.js';
import type { ReadingErrorResponse } from './dto/ingest-result.response.js';
import { checkReading, isRefusal, refusal } from './reading.js';
import type { GivenReading, Refusal, RefusalCode } from './reading.js';

/** A tank as the request names it: by its id, or by the device on it. */
export interface Target {
  readonly tankId: string | null;
  readonly deviceId: string | null;
}

export class ReadingBatch {
  readonly targets: Target[] = [];
  /** One element a good reading: its place in the request, its target, its instant and its fill. */
  readonly indexes: number[] = [];
  readonly targetOf: number[] = [];
  readonly instants: number[] = [];
  readonly fills: number[] = [];
  /** How many were sent. */
  size = 0;
  refused = 0;
  /** How many, by reason. */
  readonly refusals = new Map<RefusalCode, number>();
  /** The first of each kind. */
  private readonly readingErrors: ReadingErrorResponse[] = [];
  private readonly targetErrors: ReadingErrorResponse[] = [];
  private readonly targetOfTank = new Map<string, number>();
  private readonly targetOfDevice = new Map<string, number>();

  constructor(private readonly now: number) {}

  add(given: GivenReading): void {
    const reading = checkReading(given);
    if (isRefusal(reading)) return this.refuse(reading);
    if (isAhead(reading.milliseconds, this.now)) {
      const shown = () => quote(given.created_at);
      return this.refuse(refusal('in_the_future', `created_at ${AHEAD}`, shown));
    }
    const { tankId = null, deviceId = null } = reading;
    if (textFault(tankId ?? deviceId ?? '') !== undefined)
      return this.refuse(unknownTarget({ tankId, deviceId }));
    this.indexes.push(this.size);
    this.targetOf.push(this.targetFor({ tankId, deviceId }));
    this.instants.push(reading.milliseconds);
    this.fills.push(reading.fill + 0); // makes -0 a plain 0
    this.size += 1;
  }

  /** The next reading is not one. */
  refuse(refused: Refusal): void {
    this.addError(this.readingErrors, this.size, refused);
    this.size += 1;
  }

  /** A reading that is good, but not its tank. */
  refuseTarget(index: number, refused: Refusal): void {
    this.addError(this.targetErrors, index, refused);
  }

  /** The first refused ones, in the order they were sent. */
  errors(): ReadingErrorResponse[] {
    const errors = [...this.readingErrors, ...this.targetErrors];
    return errors.toSorted((a, b) => a.index - b.index).slice(0, MAX_FAULTS);
  }

  private addError(errors: ReadingErrorResponse[], index: number, refused: Refusal): void {
    this.refused += 1;
    this.refusals.set(refused.code, (this.refusals.get(refused.code) ?? 0) + 1);
    if (errors.length < MAX_FAULTS) errors.push({ index, code: refused.code, detail: writeMessage(refused) });
  }

  private targetFor(target: Target): number {
    const { tankId, deviceId } = target;
    const known = tankId === null ? this.targetOfDevice : this.targetOfTank;
    const name = tankId ?? deviceId ?? '';
    let index = known.get(name);
    if (index === undefined) {
      index = this.targets.push(target) - 1;
      known.set(name, index);
    }
    return index;
  }
}

export function unknownTarget({ tankId, deviceId }: Target): Refusal {
  return tankId === null
    ? refusal('unknown_device', 'no tank has this device', () => quote(deviceId))
    : refusal('unknown_tank', 'there is no tank with this id', () => quote(tankId));
}
