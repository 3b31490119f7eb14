// What a form is opened with: the tank as it is stored, with the tag of that version, and who owns it.
import type { ApiClient, Tagged } from '../api/client.js';
import { orUndefined } from '../api/troubles.js';
import type { Customer, DeletedTank, Tank } from '../api/types.js';

export interface Opened {
  /** Undefined: a new one. */
  readonly tank: Tagged<Tank> | undefined;
  readonly owner: Customer | undefined;
}

/** Null: there is nothing to edit. The owner is a new tank's; one that is there has its own. */
export async function open(
  client: ApiClient,
  id: string | undefined,
  ownerId: string | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  if (id === undefined) {
    const owner = ownerId === undefined ? undefined : await findOwner(client, ownerId, signal);
    return { tank: undefined, owner };
  }
  const tank = await orUndefined(findTank(client, id, signal));
  if (tank === undefined || !isLive(tank)) return null;
  return { tank, owner: await findOwner(client, tank.object.owner_id, signal) };
}

export function findTank(
  client: ApiClient,
  id: string,
  signal?: AbortSignal,
): Promise<Tagged<Tank | DeletedTank>> {
  return client.tagged(`tanks/${encodeURIComponent(id)}`, signal);
}

export function isLive(tank: Tagged<Tank | DeletedTank>): tank is Tagged<Tank> {
  return tank.object.deleted !== true;
}

export function findOwner(
  client: ApiClient,
  id: string,
  signal?: AbortSignal,
): Promise<Customer | undefined> {
  return orUndefined(client.get<Customer>(`customers/${encodeURIComponent(id)}`, {}, signal));
}
