// The tanks that are chosen, whatever is searched for now.
import { useMemo, useRef } from 'preact/hooks';
import type { TankMonitoring, TankStatus } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { usePage } from '../page.js';
import { useFresh } from '../use-fresh.js';

/** Up to so many are asked for one by one; more come with all tanks, in a few large answers. */
const ONE_BY_ONE = 30;

export function useChosen(ids: readonly string[], shown: readonly TankStatus[] | undefined) {
  const { client } = usePage();
  const known = useRef(new Map<string, TankStatus>()).current;
  useMemo(() => {
    for (const tank of shown ?? []) known.set(tank.tank_id, tank);
  }, [shown]);
  const missing = ids.filter((id) => !known.has(id));
  const { data } = useFresh(
    shown === undefined || missing.length === 0 ? undefined : ['chosen', missing],
    (signal) => findTanks(client, missing, signal),
    { about: missing },
  );
  return useMemo(() => {
    for (const tank of data ?? []) if (!known.has(tank.tank_id)) known.set(tank.tank_id, tank);
    return ids.flatMap((id) => known.get(id) ?? []);
  }, [ids, shown, data]);
}

async function findTanks(client: TankMonitoring, ids: readonly string[], signal: AbortSignal) {
  if (ids.length <= ONE_BY_ONE) {
    const found = ids.map((id) => orUndefined(client.fleet.tanks.get(id, { signal })));
    return (await Promise.all(found)).filter((tank) => tank !== undefined);
  }
  const wanted = new Set(ids);
  const tanks: TankStatus[] = [];
  for await (const tank of client.fleet.tanks.list({}, { signal })) {
    if (wanted.has(tank.tank_id)) tanks.push(tank);
  }
  return tanks;
}
