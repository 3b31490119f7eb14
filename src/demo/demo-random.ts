// Pseudo-random numbers from a seed: the demo fleet is the same on every machine and at every start.

export class Dice {
  private state: number;

  /** One seed per tank, so that changing one tank does not change the others. */
  constructor(seed: string) {
    this.state = 2166136261; // FNV-1a
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

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(first: T, ...rest: T[]): T {
    return rest[this.whole(0, rest.length) - 1] ?? first;
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.whole(0, 15).toString(16)).join('');
  }

  /** Shaped like the ids new objects get (RFC 9562, version 7), with the dice in place of the random bits. */
  uuid(createdAt: number): string {
    const time = createdAt.toString(16).padStart(12, '0');
    const variant = this.pick('8', '9', 'a', 'b');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }
}
