// Whom to call about the tanks of a plan.
import { useMemo } from 'preact/hooks';
import type { Customer, TankMonitoring, TankStatus } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { usePage } from '../page.js';
import { useFresh } from '../use-fresh.js';

/** Up to so many are asked for one by one; more come with all customers, in a few large answers. */
const ONE_BY_ONE = 30;
/** As many as the page reads without a pause that is felt. */
const READ_AT_ONCE = 2_000;

export type Owners = ReadonlyMap<string, Customer>;

/** Undefined until they are known, or cannot be. */
export function useOwners(tanks: readonly TankStatus[] | undefined) {
  const { client } = usePage();
  const ids = useMemo(() => [...new Set(tanks?.map(({ owner_id }) => owner_id))].toSorted(), [tanks]);
  const { data, trouble } = useFresh(
    ids.length === 0 ? undefined : ['owners', ids],
    (signal) => findOwners(client, ids, signal),
    { about: ids },
  );
  return data ?? (trouble === undefined ? undefined : new Map<string, Customer>());
}

async function findOwners(client: TankMonitoring, ids: readonly string[], signal: AbortSignal) {
  const owners = new Map<string, Customer>();
  if (ids.length <= ONE_BY_ONE) {
    const found = await Promise.all(ids.map((id) => orUndefined(client.customers.get(id, { signal }))));
    for (const one of found) if (one !== undefined && !('deleted' in one)) owners.set(one.id, one);
    return owners;
  }
  const wanted = new Set(ids);
  for await (const one of client.customers.list({ size: READ_AT_ONCE }, { signal })) {
    if (wanted.has(one.id)) owners.set(one.id, one);
    if (owners.size === wanted.size) break;
  }
  return owners;
}
