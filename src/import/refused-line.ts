// A line that is not taken, and why. A reason groups lines in the summary, so it holds nothing of the line itself; the
// detail tells what is wrong with this one.

export class RefusedLine extends Error {
  readonly reasons: readonly string[];

  constructor(reason: string, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`);
    this.reasons = [reason];
  }
}

/** A line with several faults, told all at once, so that it can be fixed in one go. */
export class FaultyLine extends RefusedLine {
  override readonly reasons: readonly string[];

  constructor(faults: readonly RefusedLine[]) {
    super(faults.map(({ message }) => message).join('; '));
    this.reasons = [...new Set(faults.flatMap(({ reasons }) => reasons))];
  }
}

/** Collects what is wrong with one line. */
export class Faults {
  private readonly found: RefusedLine[] = [];

  /** Notes what the check refuses, and goes on. */
  check(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof RefusedLine)) throw error;
      this.found.push(error);
    }
  }

  /** Refuses the line if anything was wrong with it. */
  refuseAny(): void {
    if (this.found.length > 0) throw new FaultyLine(this.found);
  }
}
