// What a form is opened with: the tank as it is stored, and who owns it.
import type { Customer, DeletedCustomer, Tank, TankMonitoring } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import type { Route } from '../route.js';

export interface Opened {
  /** Undefined: a new one. */
  readonly tank?: Tank;
  readonly owner: Customer | DeletedCustomer | undefined;
}

/** Null: there is nothing to edit. The owner is a new tank's; one that is there has its own. */
export async function open(
  client: TankMonitoring,
  { tank: id }: Route,
  owner: string | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  if (id === undefined) return { owner: await findOwner(client, owner, signal) };
  const tank = await orUndefined(client.tanks.get(id, { signal }));
  if (tank === undefined || !isLive(tank)) return null;
  return { tank, owner: await findOwner(client, tank.owner_id, signal) };
}

export function isLive<T extends object>(found: T): found is Exclude<T, { readonly deleted: true }> {
  return !('deleted' in found);
}

export async function findOwner(client: TankMonitoring, id: string | undefined, signal?: AbortSignal) {
  return id === undefined ? undefined : orUndefined(client.customers.get(id, { signal }));
}
