// Labels for the busiest of many: at most 50 have one of their own, the rest is counted as "other", however many there are. A counter
// never goes down: who gets a label begins at 0, and what was counted as "other" stays there. Who loses it begins anew if it comes back,
// which Prometheus takes for a restart.
const OTHER = 'other';
const MAX_LABELS = 50;
/** Of those that are counted to find the busiest. */
const MAX_COUNTED = 10_000;
/** How often labels may change hands. Counts are halved then, so that the last minutes matter most. */
const REVIEW_EVERY_MS = 60_000;

export class Busiest {
  private readonly labels = new Set<string>();
  private counts = new Map<string, number>();
  private nextReview: number;

  constructor(
    /** Is told of each that loses its label. */
    private readonly drop: (name: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.nextReview = now() + REVIEW_EVERY_MS;
  }

  /** Counts it, and returns what it is shown as. */
  labelFor(name: string): string {
    if (this.now() >= this.nextReview) this.review();
    const count = this.counts.get(name) ?? 0;
    if (count > 0 || this.counts.size < MAX_COUNTED) this.counts.set(name, count + 1);
    if (this.labels.size < MAX_LABELS) this.labels.add(name);
    return this.labels.has(name) ? name : OTHER;
  }

  private review(): void {
    this.nextReview = this.now() + REVIEW_EVERY_MS;
    // Of those with the same count, who has a label keeps it.
    const rank = (name: string): number => (this.counts.get(name) ?? 0) + (this.labels.has(name) ? 0.5 : 0);
    const busiest = [...new Set([...this.labels, ...this.counts.keys()])]
      .toSorted((a, b) => rank(b) - rank(a))
      .slice(0, MAX_LABELS);
    for (const name of this.labels) {
      if (busiest.includes(name)) continue;
      this.labels.delete(name);
      this.drop(name);
    }
    for (const name of busiest) this.labels.add(name);
    this.counts = new Map(
      [...this.counts].flatMap(([name, count]) => (count > 1 ? [[name, Math.floor(count / 2)]] : [])),
    );
  }
}
