// What the plan knows by id: the tanks that are chosen, whatever is searched for now, and whom to call about a tank.
import { useMemo, useRef } from 'preact/hooks';
import type { Customer, TankStatus } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { isLive } from '../form/opened.js';
import { usePage } from '../page.js';
import { useFresh } from '../use-fresh.js';

/** Up to so many are asked for one by one; more come with all that there are, in a few large answers. */
const ONE_BY_ONE = 30;
/** As many as the page reads without a pause that is felt. */
const READ_AT_ONCE = 2_000;

export function useChosen(ids: readonly string[], shown: readonly TankStatus[] | undefined) {
  const { tanks } = usePage().client.fleet;
  const known = useRef(new Map<string, TankStatus>()).current;
  useMemo(() => {
    for (const tank of shown ?? []) known.set(tank.tank_id, tank);
  }, [shown]);
  const missing = ids.filter((id) => !known.has(id));
  const { data } = useFresh(
    shown === undefined || missing.length === 0 ? undefined : ['chosen', missing],
    (signal) =>
      missing.length <= ONE_BY_ONE
        ? oneByOne(missing, (id) => tanks.get(id, { signal }))
        : among(missing, tanks.list({}, { signal }), ({ tank_id }) => tank_id),
    { about: missing },
  );
  return useMemo(() => {
    for (const tank of data ?? []) if (!known.has(tank.tank_id)) known.set(tank.tank_id, tank);
    return ids.flatMap((id) => known.get(id) ?? []);
  }, [ids, shown, data]);
}

export type Owners = ReadonlyMap<string, Customer>;

/** Undefined until they are known, or cannot be. */
export function useOwners(tanks: readonly TankStatus[]) {
  const { customers } = usePage().client;
  const ids = useMemo(() => [...new Set(tanks.map(({ owner_id }) => owner_id))].toSorted(), [tanks]);
  const { data, trouble } = useFresh(
    ids.length === 0 ? undefined : ['owners', ids],
    async (signal) => {
      const found =
        ids.length <= ONE_BY_ONE
          ? await oneByOne(ids, (id) => customers.get(id, { signal }))
          : await among(ids, customers.list({ size: READ_AT_ONCE }, { signal }), ({ id }) => id);
      return new Map(found.filter(isLive).map((one) => [one.id, one]));
    },
    { about: ids },
  );
  return data ?? (trouble === undefined ? undefined : new Map<string, Customer>());
}

async function oneByOne<T>(ids: readonly string[], get: (id: string) => Promise<T>): Promise<T[]> {
  const found = await Promise.all(ids.map((id) => orUndefined(get(id))));
  return found.filter((one) => one !== undefined);
}

async function among<T>(ids: readonly string[], all: AsyncIterable<T>, idOf: (item: T) => string) {
  const wanted = new Set(ids);
  const found: T[] = [];
  for await (const one of all) {
    if (wanted.has(idOf(one))) found.push(one);
    if (found.length === wanted.size) break;
  }
  return found;
}
