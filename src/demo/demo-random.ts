// Pseudo-random numbers from a seed: the demo is the same on every machine and at every start.

export class Dice {
  private state = 2166136261; // FNV-1a

  /** One seed per tank, so that changing one tank does not change the others. */
  constructor(seed: string) {
    for (const char of seed) this.state = Math.imul(this.state ^ (char.codePointAt(0) ?? 0), 16777619);
  }

  /** Mulberry32: a number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }
}
