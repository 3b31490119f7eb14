// The way of a truck along great circles, and the order of its stops that makes it short: exact for few stops; for more, a good order that
// is improved for a while, in slices, so that other requests have their turn in between.
import { setImmediate as others } from 'node:timers/promises';
import { roundTo } from '../common/rounding.js';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_KM = 6_371;
const RADIANS = Math.PI / 180;

/** The kilometers between two places on a sphere (haversine). */
export function kilometers(a: Place, b: Place): number {
  const [south, west] = [(b.latitude - a.latitude) * RADIANS, (b.longitude - a.longitude) * RADIANS];
  const chord =
    Math.sin(south / 2) ** 2 +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * Math.sin(west / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** From the start, or the first stop, through all of them and back; null where a place is not known. */
export function measureRoute(start: Place | null, stops: readonly (Place | null)[]): number | null {
  const places = stops.filter((place) => place !== null);
  const home = start ?? places[0];
  if (home === undefined || places.length < stops.length) return null;
  const way = [home, ...places, home];
  return roundTo(
    way.slice(1).reduce((sum, place, i) => sum + kilometers(way[i] ?? place, place), 0),
    1,
  );
}

/** So many stops are tried in every order, as it were. */
const EXACT = 12;
const LONGEST_MS = 400;
const SLICE_MS = 10;
/** Kicks that a stop may get: by then nothing shorter is found any more. */
const KICKS_PER_STOP = 200;
/** What is shorter by less is as long. */
const SAME = 1e-9;

/** The order of these places, by their indexes, on the shortest way between two others; as it is, where none is shorter. */
export async function shortestOrder(
  from: Place,
  places: readonly Place[],
  to: Place,
  /** Whether nobody waits for it any more. */
  isOver = () => false,
): Promise<number[]> {
  const asItIs = places.map((_, i) => i);
  const way = new Way([...places, from, to]);
  const best = places.length <= EXACT ? way.tryAll() : await way.improve(isOver);
  return way.lengthOf(best) < way.lengthOf(asItIs) - SAME ? best : asItIs;
}

class Way {
  private readonly count: number;
  /** Between any two, row by row; the last two are the beginning and the end. */
  private readonly distances: Float64Array;
  /** For each stop all others, the nearest first. */
  private readonly near: readonly (readonly number[])[];
  /** The stops in their order, between the beginning and the end, and where each is. */
  private path: Int32Array;
  private readonly placeOf: Int32Array;
  private seed = 1;

  constructor(places: readonly Place[]) {
    const all = places.length;
    this.count = all - 2;
    this.distances = Float64Array.from({ length: all * all }, (_, i) => {
      const [a, b] = [places[Math.floor(i / all)], places[i % all]];
      return a === undefined || b === undefined ? 0 : kilometers(a, b);
    });
    const stops = places.slice(0, this.count).map((_, i) => i);
    this.near = stops.map((a) =>
      stops.filter((b) => b !== a).toSorted((b, c) => this.between(a, b) - this.between(a, c)),
    );
    this.path = Int32Array.from([this.count, ...stops, this.count + 1]);
    this.placeOf = new Int32Array(all);
  }

  lengthOf(order: readonly number[]): number {
    return this.sumOf([this.count, ...order, this.count + 1]);
  }

  private sumOf(path: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 1; i < path.length; i += 1) sum += this.between(path[i - 1] ?? 0, path[i] ?? 0);
    return sum;
  }

  private between(a: number, b: number): number {
    return this.distances[a * (this.count + 2) + b] ?? 0;
  }

  /** The shortest way to each stop through each set of others (Held and Karp). */
  tryAll(): number[] {
    const { count } = this;
    const sets = 1 << count;
    const lengths = new Float64Array(sets * count).fill(Infinity);
    const before = new Int32Array(sets * count);
    for (let last = 0; last < count; last += 1)
      lengths[(1 << last) * count + last] = this.between(count, last);
    for (let set = 1; set < sets; set += 1)
      for (let last = 0; last < count; last += 1) {
        const length = lengths[set * count + last] ?? Infinity;
        if (length === Infinity) continue;
        for (let next = 0; next < count; next += 1) {
          const at = (set | (1 << next)) * count + next;
          const longer = length + this.between(last, next);
          if ((set & (1 << next)) !== 0 || longer >= (lengths[at] ?? 0)) continue;
          lengths[at] = longer;
          before[at] = last;
        }
      }
    const order: number[] = [];
    const ends = Array.from({ length: count }, (_, last) => last);
    const total = (last: number): number =>
      (lengths[(sets - 1) * count + last] ?? 0) + this.between(last, count + 1);
    let last = ends.toSorted((a, b) => total(a) - total(b))[0] ?? 0;
    for (let set = sets - 1; set > 0;) {
      order.unshift(last);
      const previous = before[set * count + last] ?? 0;
      set &= ~(1 << last);
      last = previous;
    }
    return order;
  }

  /** To the nearest next, made shorter by moves; then kicked out of place and made shorter again, which is kept if it helps. */
  async improve(isOver: () => boolean): Promise<number[]> {
    const began = performance.now();
    await others(); // what was made until here took a while
    this.goToTheNearest();
    this.shorten(Array.from({ length: this.count }, (_, i) => i));
    let best = this.sumOf(this.path);
    let slice = performance.now();
    for (let kick = 0; kick < KICKS_PER_STOP * this.count; kick += 1) {
      const kept = this.path.slice();
      this.shorten(this.kick());
      const length = this.sumOf(this.path);
      if (length < best - SAME) best = length;
      else this.take(kept);
      if (performance.now() - slice < SLICE_MS) continue;
      await others();
      slice = performance.now();
      if (slice - began > LONGEST_MS || isOver()) break;
    }
    return [...this.path.subarray(1, this.count + 1)];
  }

  private take(path: Int32Array): void {
    this.path = path;
    path.forEach((stop, place) => (this.placeOf[stop] = place));
  }

  private goToTheNearest(): void {
    const left = new Set(Array.from({ length: this.count }, (_, i) => i));
    const path = [this.count];
    while (left.size > 0) {
      const last = path.at(-1) ?? 0;
      let nearest = -1;
      for (const stop of left)
        if (nearest < 0 || this.between(last, stop) < this.between(last, nearest)) nearest = stop;
      path.push(nearest);
      left.delete(nearest);
    }
    this.take(Int32Array.from([...path, this.count + 1]));
  }

  /** Exchanges two short parts beside each other. Returns the stops at whose sides something has changed. */
  private kick(): number[] {
    const most = Math.max(1, Math.min(30, Math.floor((this.count - 1) / 2)));
    const [a, b] = [1 + this.random(most), 1 + this.random(most)];
    const from = 1 + this.random(this.count - a - b + 1);
    const { path } = this;
    const parts = [path.slice(from + a, from + a + b), path.slice(from, from + a)];
    const next = path.slice();
    next.set(parts[0] ?? [], from);
    next.set(parts[1] ?? [], from + b);
    this.take(next);
    const touched = [from - 1, from, from + b - 1, from + b, from + a + b - 1, from + a + b];
    return touched.map((place) => next[place] ?? 0).filter((stop) => stop < this.count);
  }

  /** The same for the same stops: a run that is ordered again stays as it is. */
  private random(below: number): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return this.seed % below;
  }

  /** Until no move of the stops in the queue makes the way shorter. */
  private shorten(queue: number[]): void {
    const queued = new Set(queue);
    for (let stop = queue.pop(); stop !== undefined; stop = queue.pop()) {
      queued.delete(stop);
      for (let touched = this.move(stop); touched !== undefined; touched = this.move(stop))
        for (const one of touched)
          if (one < this.count && !queued.has(one)) {
            queued.add(one);
            queue.push(one);
          }
    }
  }

  /** The first move that makes the way shorter by bringing the stop beside one that is nearer; the ends of what has changed. */
  private move(stop: number): number[] | undefined {
    const at = this.placeOf[stop] ?? 0;
    const [before, after] = [this.path[at - 1] ?? 0, this.path[at + 1] ?? 0];
    const longest = Math.max(this.between(before, stop), this.between(stop, after));
    for (const other of this.near[stop] ?? []) {
      if (this.between(stop, other) >= longest) return undefined;
      const touched =
        this.reverse(at, this.placeOf[other] ?? 0) ?? this.relocate(at, this.placeOf[other] ?? 0);
      if (touched !== undefined) return touched;
    }
    return undefined;
  }

  /** 2-opt: turns a part around, so that the two come side by side: as next, or as the one before. */
  private reverse(at: number, other: number): number[] | undefined {
    const [low, high] = at < other ? [at, other] : [other, at];
    return this.turn(low + 1, high) ?? this.turn(low, high - 1);
  }

  private turn(from: number, to: number): number[] | undefined {
    if (from >= to) return undefined;
    const { path } = this;
    const [before, first, last, after] = [
      path[from - 1] ?? 0,
      path[from] ?? 0,
      path[to] ?? 0,
      path[to + 1] ?? 0,
    ];
    const gain =
      this.between(before, first) +
      this.between(last, after) -
      this.between(before, last) -
      this.between(first, after);
    if (gain <= SAME) return undefined;
    path.subarray(from, to + 1).reverse();
    for (let i = from; i <= to; i += 1) this.placeOf[path[i] ?? 0] = i;
    return [before, first, last, after];
  }

  /** Or-opt: moves one to three stops that begin or end here to the side of the other, in either direction. */
  private relocate(at: number, other: number): number[] | undefined {
    for (let length = 1; length <= 3; length += 1)
      for (const from of length === 1 ? [at] : [at, at - length + 1]) {
        const to = from + length - 1;
        if (from < 1 || to > this.count || (other >= from && other <= to)) continue;
        for (const gap of [other - 1, other]) {
          const touched = this.insert(from, to, gap);
          if (touched !== undefined) return touched;
        }
      }
    return undefined;
  }

  /** Between the stop at `gap` and the next one, which lie outside of the part. */
  private insert(from: number, to: number, gap: number): number[] | undefined {
    if (gap >= from - 1 && gap <= to) return undefined;
    const { path } = this;
    const [before, first, last, after] = [
      path[from - 1] ?? 0,
      path[from] ?? 0,
      path[to] ?? 0,
      path[to + 1] ?? 0,
    ];
    const [left, right] = [path[gap] ?? 0, path[gap + 1] ?? 0];
    const closed = this.between(before, first) + this.between(last, after) - this.between(before, after);
    const straight = this.between(left, first) + this.between(last, right);
    const turned = this.between(left, last) + this.between(first, right);
    if (closed - (Math.min(straight, turned) - this.between(left, right)) <= SAME) return undefined;
    const part = path.slice(from, to + 1);
    if (turned < straight) part.reverse();
    const rest = [...path.subarray(0, from), ...path.subarray(to + 1)];
    const place = gap < from ? gap + 1 : gap - part.length + 1;
    this.take(Int32Array.from([...rest.slice(0, place), ...part, ...rest.slice(place)]));
    return [before, after, left, right, first, last];
  }
}
