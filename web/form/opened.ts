// What a form is opened with: the tank as it is stored, and who owns it.
import type { Customer, DeletedCustomer, Tank, TankMonitoring } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { keptInTab } from '../session.js';
import { valuesOf, type Values } from './fields.js';

export interface Opened {
  /** Undefined: a new one. */
  readonly tank: Tank | undefined;
  readonly owner: Customer | DeletedCustomer | undefined;
  /** What is known of one that was deleted: all of it in the tab that deleted it, elsewhere what its newest event tells. */
  readonly known?: Partial<Values>;
}

export const deletedPlace = (id: string): string => `deleted ${id}`;

/** Null: it is not deleted. */
export async function openDeleted(
  client: TankMonitoring,
  id: string,
  signal: AbortSignal,
): Promise<Opened | null> {
  const tank = await orUndefined(client.tanks.get(id, { signal }));
  if (tank === undefined || isLive(tank)) return null;
  const known = keptInTab<Values>(deletedPlace(id)) ?? (await toldByEvents(client, id, signal));
  const owner = known.owner_id === undefined ? undefined : await findOwner(client, known.owner_id, signal);
  return { tank: undefined, owner, known };
}

async function toldByEvents(
  client: TankMonitoring,
  id: string,
  signal: AbortSignal,
): Promise<Partial<Values>> {
  const [event] = (await client.events.page({ tank_id: id, size: 1 }, { signal })).data;
  if (event === undefined) return {};
  const { tank, location, min_fill_alert_percentage } = event.data;
  const told = { ...tank, location, min_fill_alert_percentage, owner_id: event.owner_id };
  return Object.fromEntries(Object.entries(valuesOf(told)).filter(([, value]) => value !== ''));
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
