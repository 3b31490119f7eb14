// Tanks too near each other to be told apart become one mark, so that ten thousand of them stay readable, and few elements.
import type { TankStatus } from 'tank-monitoring-client';
import { STATE_NAMES, statesOf, type State } from '../parts/state.js';
import type { Spot } from './projection.js';

/** Pixels between two marks. */
const APART = 40;
export const SEVERITY = Object.keys(STATE_NAMES) as State[];

export interface PlacedTank extends Spot {
  readonly tank: TankStatus;
  readonly state: State;
}

export interface Cluster extends Spot {
  readonly tanks: readonly PlacedTank[];
  readonly state: State;
}

/** The worst first: they are drawn last, and give a cluster its place and its state. */
export function place(
  tanks: readonly TankStatus[],
  spotOf: (latitude: number, longitude: number) => Spot,
): PlacedTank[] {
  const placed = tanks.flatMap((tank) => {
    const { latitude, longitude } = tank.location;
    if (latitude === null || longitude === null) return [];
    return [{ ...spotOf(latitude, longitude), tank, state: statesOf(tank)[0] }];
  });
  return placed.toSorted((a, b) => SEVERITY.indexOf(a.state) - SEVERITY.indexOf(b.state));
}

/** Each tank joins the first mark near it, or makes one. Marks are found by their cell, so this stays quick. */
export function clustersOf(tanks: readonly PlacedTank[], scale: number): Cluster[] {
  const apart = APART / scale;
  const cells = new Map<number, (Cluster & { readonly tanks: PlacedTank[] })[]>();
  const clusters: Cluster[] = [];
  for (const placed of tanks) {
    const [column, row] = [Math.floor(placed.x / apart), Math.floor(placed.y / apart)];
    const found = near(cells, column, row, ({ x, y }) => Math.hypot(x - placed.x, y - placed.y) < apart);
    if (found !== undefined) {
      found.tanks.push(placed);
      continue;
    }
    const cluster = { x: placed.x, y: placed.y, state: placed.state, tanks: [placed] };
    clusters.push(cluster);
    const cell = cells.get(cellOf(column, row));
    if (cell === undefined) cells.set(cellOf(column, row), [cluster]);
    else cell.push(cluster);
  }
  return clusters;
}

/** Rows are never so many. */
const cellOf = (column: number, row: number): number => column * 2 ** 22 + row;

function near<T>(
  cells: ReadonlyMap<number, readonly T[]>,
  column: number,
  row: number,
  isIt: (one: T) => boolean,
): T | undefined {
  for (let dx = -1; dx <= 1; dx += 1) {
    for (let dy = -1; dy <= 1; dy += 1) {
      const found = cells.get(cellOf(column + dx, row + dy))?.find(isIt);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Zooming does not make them anew at each step. */
export function clusterScale(scale: number): number {
  return 2 ** (Math.round(Math.log2(scale) * 2) / 2);
}
