// What a form is opened with: the tank as it is stored, and who owns it.
import type { Customer, DeletedCustomer, Tank, TankMonitoring } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';

export interface Opened {
  /** Undefined: a new one. */
  readonly tank: Tank | undefined;
  readonly owner: Customer | DeletedCustomer | undefined;
}

/** Null: there is nothing to edit. The owner is a new tank's; one that is there has its own. */
export async function open(
  client: TankMonitoring,
  id: string | undefined,
  ownerId: string | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  if (id === undefined) {
    const owner = ownerId === undefined ? undefined : await findOwner(client, ownerId, signal);
    return { tank: undefined, owner };
  }
  const tank = await orUndefined(client.tanks.get(id, { signal }));
  if (tank === undefined || !isLive(tank)) return null;
  return { tank, owner: await findOwner(client, tank.owner_id, signal) };
}

export function isLive<T extends object>(found: T): found is Exclude<T, { readonly deleted: true }> {
  return !('deleted' in found);
}

export function findOwner(
  client: TankMonitoring,
  id: string,
  signal?: AbortSignal,
): Promise<Customer | DeletedCustomer | undefined> {
  return orUndefined(client.customers.get(id, { signal }));
}
