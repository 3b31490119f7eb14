// Places of which one key may have only so many, so that it leaves some for the others.

export interface PlaceBounds {
  readonly total: number;
  readonly perKey: number;
}

export class KeyPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly bounds: PlaceBounds) {}

  /** Returns what gives the place back, once however often it is called; undefined when there is none. */
  enter(keyPrefix: string): (() => void) | undefined {
    const { total, perKey } = this.bounds;
    if (this.taken >= total || this.heldBy(keyPrefix) >= perKey) return undefined;
    this.add(keyPrefix, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(keyPrefix, -1);
      isHeld = false;
    };
  }

  heldBy(keyPrefix: string): number {
    return this.takenBy.get(keyPrefix) ?? 0;
  }

  private add(keyPrefix: string, change: 1 | -1): void {
    this.taken += change;
    const held = this.heldBy(keyPrefix) + change;
    if (held === 0) this.takenBy.delete(keyPrefix);
    else this.takenBy.set(keyPrefix, held);
  }
}
