// The way of a truck: how long it is, and an order that makes it short.
import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { measureRoute, kilometers, shortestOrder, type Place } from './route.js';

const at = (latitude: number, longitude: number): Place => ({ latitude, longitude });
const VIENNA = at(48.2082, 16.3738);
const GRAZ = at(47.0707, 15.4395);
const HOME = at(48, 16);

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let last = seed;
  return () => (last = (last * 16_807) % 2_147_483_647) / 2_147_483_647;
}

function somewhere(count: number, seed: number): Place[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => at(47 + 2 * next(), 14 + 3 * next()));
}

const inOrder = (places: readonly Place[], order: readonly number[]) => order.map((i) => places[i] ?? HOME);
const wayOf = (places: readonly Place[]) =>
  [...places, HOME].reduce(({ sum, from }, to) => ({ sum: sum + kilometers(from, to), from: to }), {
    sum: 0,
    from: HOME,
  }).sum;

describe('the distance', () => {
  it('goes along great circles and back', () => {
    expect(kilometers(VIENNA, GRAZ)).toBeCloseTo(144.9, 0);
    expect(measureRoute(null, [VIENNA, GRAZ])).toBe(measureRoute(VIENNA, [GRAZ]));
    expect(measureRoute(at(0, 179.5), [at(0, -179.5)])).toBe(222.4);
    expect(measureRoute(null, [VIENNA])).toBe(0);
    expect(measureRoute(VIENNA, [GRAZ, null])).toBeNull();
  });
});

/** Every order there is. */
function* orders(left: readonly number[]): Generator<number[]> {
  if (left.length === 0) yield [];
  for (const first of left)
    for (const rest of orders(left.filter((one) => one !== first))) yield [first, ...rest];
}

describe('the order of stops', () => {
  it.each([1, 2, 5, 7])('of %d stops is the best there is', async (count) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const places = somewhere(count, seed);
      const order = await shortestOrder(HOME, places, HOME);
      const lengths = [...orders(places.map((_, i) => i))].map((one) => wayOf(inOrder(places, one)));
      expect(order.toSorted((a, b) => a - b)).toEqual(places.map((_, i) => i));
      expect(wayOf(inOrder(places, order))).toBeCloseTo(Math.min(...lengths), 6);
    }
  });

  /** A circle is its own best way. */
  it.each([13, 40, 100, 200])('of %d stops on a circle is that circle', async (count) => {
    const circle = Array.from({ length: count }, (_, i) => {
      const turn = (2 * Math.PI * (i + 0.5)) / count;
      return at(48 + 0.5 * Math.sin(turn), 16.7 - 0.7 * Math.cos(turn));
    });
    const next = numbers(7);
    const mixed = circle.map((place) => ({ place, key: next() })).toSorted((a, b) => a.key - b.key);
    const places = mixed.map(({ place }) => place);
    const order = await shortestOrder(HOME, places, HOME);
    expect(wayOf(inOrder(places, order))).toBeLessThanOrEqual(1.000001 * wayOf(circle));
  });

  /** Whoever looks at the nearest stops only never leaves the one place. */
  it('of many stops at few places goes to each of them once', async () => {
    const few = somewhere(6, 1);
    const places = Array.from({ length: 90 }, (_, i) => few[(i * 7) % few.length] ?? HOME);
    const order = await shortestOrder(HOME, places, HOME);
    const best = inOrder(few, await shortestOrder(HOME, few, HOME));
    expect(wayOf(inOrder(places, order))).toBeCloseTo(wayOf(best), 6);
  });

  it('is looked for in parts, so that others are answered meanwhile', async () => {
    const found = shortestOrder(HOME, somewhere(150, 3), HOME);
    let turns = 0;
    while ((await Promise.race([found, nextTurn()])) === undefined) turns += 1;
    expect(await found).toHaveLength(150);
    expect(turns).toBeGreaterThan(3);
  });

  it('is looked for no longer than somebody waits', async () => {
    let asked = 0;
    const order = await shortestOrder(HOME, somewhere(200, 3), HOME, () => (asked += 1) === 2);
    expect(order.toSorted((a, b) => a - b)).toEqual(order.map((_, i) => i));
    expect(asked).toBe(2);
  });

  it('is as it was where nothing is shorter, and the same again', async () => {
    const places = somewhere(60, 3);
    const best = inOrder(places, await shortestOrder(HOME, places, HOME));
    const asItIs = best.map((_, i) => i);
    expect(wayOf(inOrder(best, await shortestOrder(HOME, best, HOME)))).toBeLessThanOrEqual(wayOf(best));
    const few = best.slice(0, 8);
    const done = inOrder(few, await shortestOrder(HOME, few, HOME));
    expect(await shortestOrder(HOME, done, HOME)).toEqual(asItIs.slice(0, 8));
    expect(await shortestOrder(HOME, done.toReversed(), HOME)).toEqual(asItIs.slice(0, 8));
  });
});
