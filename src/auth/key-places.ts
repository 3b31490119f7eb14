// How many requests of a kind may be in work at once: in all, and of one key.

export interface PlaceBounds {
  readonly total: number;
  readonly perKey: number;
}

export class KeyPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly bounds: PlaceBounds) {}

  /** Returns how to leave, which may be called twice; undefined when there is no place. */
  enter(keyPrefix: string): (() => void) | undefined {
    const { total, perKey } = this.bounds;
    if (this.taken >= total || (this.takenBy.get(keyPrefix) ?? 0) >= perKey) return undefined;
    this.add(keyPrefix, 1);
    let isInside = true;
    return () => {
      if (isInside) this.add(keyPrefix, -1);
      isInside = false;
    };
  }

  private add(keyPrefix: string, places: 1 | -1): void {
    this.taken += places;
    const ofKey = (this.takenBy.get(keyPrefix) ?? 0) + places;
    if (ofKey === 0) this.takenBy.delete(keyPrefix);
    else this.takenBy.set(keyPrefix, ofKey);
  }
}
