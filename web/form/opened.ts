// What a form is opened with: the tank as it is stored, and who owns it.
import type { Customer, DeletedCustomer, Tank, TankMonitoring } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import type { Route } from '../route.js';
import { keptInTab } from '../session.js';
import { valuesOf, type Values } from './fields.js';

export interface Opened {
  /** Undefined: a new one. */
  readonly tank?: Tank;
  readonly owner: Customer | DeletedCustomer | undefined;
  /** What is known of one that was deleted: all of it in the tab that deleted it, elsewhere what its newest event tells. */
  readonly known?: Partial<Values>;
}

export const deletedPlace = (id: string): string => `deleted ${id}`;

/** Null: there is nothing to edit, or to restore. The owner is a new tank's; one that is there has its own. */
export async function open(
  client: TankMonitoring,
  { form, tank: id }: Route,
  owner: string | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  if (id === undefined) return { owner: await findOwner(client, owner, signal) };
  const tank = await orUndefined(client.tanks.get(id, { signal }));
  if (tank === undefined || isLive(tank) === (form === 'restore')) return null;
  if (isLive(tank)) return { tank, owner: await findOwner(client, tank.owner_id, signal) };
  const known: Partial<Values> =
    keptInTab<Values>(deletedPlace(id)) ?? (await toldByEvents(client, id, signal));
  return { known, owner: await findOwner(client, known.owner_id, signal) };
}

async function toldByEvents(client: TankMonitoring, id: string, signal: AbortSignal) {
  const [event] = (await client.events.page({ tank_id: id, size: 1 }, { signal })).data;
  if (event === undefined) return {};
  const { tank, location, min_fill_alert_percentage } = event.data;
  const values = valuesOf({ ...tank, location, min_fill_alert_percentage, owner_id: event.owner_id });
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

export function isLive<T extends object>(found: T): found is Exclude<T, { readonly deleted: true }> {
  return !('deleted' in found);
}

export async function findOwner(client: TankMonitoring, id: string | undefined, signal?: AbortSignal) {
  return id === undefined ? undefined : orUndefined(client.customers.get(id, { signal }));
}
