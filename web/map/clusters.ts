// Tanks too near each other to be told apart become one mark, so that ten thousand of them stay readable, and few elements.
import type { TankStatus } from 'tank-monitoring-client';
import { STATES, statesOf, type State } from '../parts/state.js';
import { spotOf, type Spot } from './projection.js';

/** Pixels between two marks: as wide as the largest. */
const APART = 46;

export interface PlacedTank extends Spot {
  readonly tank: TankStatus;
  /** Worst first. */
  readonly states: readonly [State, ...State[]];
}

export interface Cluster extends Spot {
  readonly tanks: readonly PlacedTank[];
  readonly state: State;
}

/** The worst first: they are drawn last, and give a cluster its place and its state. */
export function place(tanks: readonly TankStatus[]): PlacedTank[] {
  const placed = tanks.flatMap((tank) => {
    const { latitude, longitude } = tank.location;
    if (latitude === null || longitude === null) return [];
    return [{ ...spotOf(latitude, longitude), tank, states: statesOf(tank) }];
  });
  return STATES.flatMap((state) => placed.filter(({ states }) => states[0] === state));
}

/** Marks are found by a hash of their cell; those of other cells that share it are too far away to matter. */
const SLOTS = 2 ** 16;
const slotOf = (column: number, row: number): number =>
  (Math.imul(column, 73_856_093) ^ Math.imul(row, 19_349_663)) & (SLOTS - 1);

/** Each tank joins the first mark near it, or makes one. */
export function clustersOf(tanks: readonly PlacedTank[], scale: number): Cluster[] {
  const apart = APART / scale;
  const slots: (Cluster & { readonly tanks: PlacedTank[] })[][] = Array.from({ length: SLOTS });
  const clusters: Cluster[] = [];
  for (const placed of tanks) {
    const { x, y } = placed;
    const [column, row] = [Math.floor(x / apart), Math.floor(y / apart)];
    const found = near(slots, column, row, (one) => (one.x - x) ** 2 + (one.y - y) ** 2 < apart ** 2);
    if (found === undefined) {
      const cluster = { x, y, state: placed.states[0], tanks: [placed] };
      clusters.push(cluster);
      (slots[slotOf(column, row)] ??= []).push(cluster);
    } else found.tanks.push(placed);
  }
  return clusters;
}

function near<T>(
  slots: readonly (readonly T[] | undefined)[],
  column: number,
  row: number,
  isIt: (one: T) => boolean,
): T | undefined {
  for (let dx = -1; dx <= 1; dx += 1) {
    for (let dy = -1; dy <= 1; dy += 1) {
      const found = slots[slotOf(column + dx, row + dy)]?.find(isIt);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Zooming does not make them anew at each step. */
export function clusterScale(scale: number): number {
  return 2 ** (Math.round(Math.log2(scale) * 2) / 2);
}
