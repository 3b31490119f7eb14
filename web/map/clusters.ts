// Tanks too near each other to be told apart become one mark, so that ten thousand of them stay readable, and few elements.
import Supercluster from 'supercluster';
import type { TankStatus } from 'tank-monitoring-client';
import { STATES, statesOf, type State } from '../parts/state.js';

/** Pixels between two marks: as wide as the largest. */
const APART = 46;

/** A tank, or several in one place. */
export interface Mark {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The worst. */
  readonly state: State;
  /** How many are in each state first of all, by its place among the states. */
  readonly counts: readonly number[];
  readonly size: number;
  /** If it is one. */
  readonly tank: TankStatus | undefined;
  /** Of several. */
  readonly cluster: number | undefined;
}

export function placesOf(tanks: readonly TankStatus[], nearest: number) {
  const index = new Supercluster<{ readonly tank: TankStatus }, { counts: number[] }>({
    radius: APART,
    extent: 256,
    maxZoom: nearest,
    map: ({ tank }) => ({ counts: countsOf(tank) }),
    reduce: (all, { counts }) => {
      all.counts = all.counts.map((n, place) => n + (counts[place] ?? 0));
    },
  });
  index.load(
    tanks.flatMap((tank) => {
      const { latitude, longitude } = tank.location;
      if (latitude === null || longitude === null) return [];
      const geometry = { type: 'Point' as const, coordinates: [longitude, latitude] };
      return [{ type: 'Feature' as const, geometry, properties: { tank } }];
    }),
  );
  return {
    /** The worst first. */
    marksIn: (bounds: [west: number, south: number, east: number, north: number], zoom: number): Mark[] =>
      index
        .getClusters(bounds, zoom)
        .map(({ geometry: { coordinates }, properties }) => {
          const [longitude = 0, latitude = 0] = coordinates;
          if ('tank' in properties) {
            const { tank } = properties;
            const [state] = statesOf(tank);
            return {
              id: tank.tank_id,
              latitude,
              longitude,
              state,
              counts: [],
              size: 1,
              tank,
              cluster: undefined,
            };
          }
          const { counts, cluster_id: cluster, point_count: size } = properties;
          const state = STATES.find((_, place) => (counts[place] ?? 0) > 0) ?? 'ok';
          return { id: `${cluster}`, latitude, longitude, state, counts, size, tank: undefined, cluster };
        })
        .toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state)),
    /** Nearer than can be: tanks on one site do not come apart. */
    comesApartAt: (cluster: number): number => index.getClusterExpansionZoom(cluster),
    tanksOf: (cluster: number): TankStatus[] =>
      index.getLeaves(cluster, Infinity).map(({ properties }) => properties.tank),
  };
}

function countsOf(tank: TankStatus): number[] {
  const [first] = statesOf(tank);
  return STATES.map((state) => (state === first ? 1 : 0));
}
