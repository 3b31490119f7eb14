// A line that is not taken, and why. A reason groups lines in the summary, so it holds nothing of the line itself; the
// detail tells what is wrong with this one.

import { messageOf, type Fault } from '../fields/fault.js';

export class RefusedLine extends Error {
  readonly reasons: readonly string[];

  constructor(reason: string, detail = '') {
    super(messageOf({ reason, detail }));
    this.reasons = [reason];
  }
}

/** A line with several faults, told all at once, so that it can be fixed in one go. */
export class FaultyLine extends RefusedLine {
  override readonly reasons: readonly string[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(messageOf).join('; '));
    this.reasons = [...new Set(faults.map(({ reason }) => reason))];
  }
}
