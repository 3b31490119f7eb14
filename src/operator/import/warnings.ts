// What an operator is told of before or after an import: customers that a file deletes although they own tanks, and tanks that got a device
// which another live tank has, too.
import type { ClientBase } from 'pg';

/** How many are named. */
const MAX_NAMED = 5;

interface DeletedOwner {
  readonly id: string;
  readonly name: string;
  /** Those that would stay. */
  readonly tanks: number;
}

/** They would stay without a visible owner. */
export interface DeletedOwners {
  readonly customers: number;
  readonly tanks: number;
  readonly first: readonly DeletedOwner[];
}

/** The last line about an object counts. */
const DELETED_OWNERS = `
  with last_customer as (
    select distinct on (id) id, is_short or deleted as deletes from staged_customers order by id, line desc
  ), deleting as (
    select customers.id, customers.name from last_customer join customers using (id)
    where deletes and not customers.deleted
  ), last_tank as (
    select distinct on (id) id, owner_id, is_short or deleted as deletes from staged_tanks order by id, line desc
  ), kept_tank as (
    select tanks.owner_id from deleting join tanks on tanks.owner_id = deleting.id
    where not tanks.deleted and not exists (select from last_tank where last_tank.id = tanks.id)
    union all
    select owner_id from last_tank where not deletes
  )
  select deleting.id, deleting.name, count(*)::float8 as tanks,
         (count(*) over ())::float8 as all_customers, (sum(count(*)) over ())::float8 as all_tanks
  from deleting join kept_tank on kept_tank.owner_id = deleting.id
  group by deleting.id, deleting.name order by deleting.id limit ${MAX_NAMED}`;

/** Before the merge, so that nothing is locked while the operator is asked. */
export async function findDeletedOwners(client: ClientBase): Promise<DeletedOwners | undefined> {
  const { rows } = await client.query<DeletedOwner & { all_customers: number; all_tanks: number }>(
    DELETED_OWNERS,
  );
  const [any] = rows;
  if (any === undefined) return undefined;
  return { customers: any.all_customers, tanks: any.all_tanks, first: rows };
}

/** Readings that name only the device are refused then. A warning: devices move from tank to tank, and their lines come in any order. */
export interface SharedDevices {
  /** How many tanks have got such a device, and how many devices that are. */
  readonly tanks: number;
  readonly devices: number;
  readonly first: readonly SharedDevice[];
}

interface SharedDevice {
  readonly device_id: string;
  /** How many live tanks have it; the first of them are named. */
  readonly tanks: number;
  readonly tank_ids: readonly string[];
}

export const CREATE_GIVEN_DEVICES = 'create temp table given_devices (device_id text) on commit drop';

/** Runs before "changes" are written. An empty id is no device. */
export const REMEMBER_GIVEN_DEVICES = `
  insert into given_devices
  select device_key(changes.assigned_device_id)
  from changes left join tanks before on before.id = changes.id and not before.deleted
  where not changes.deleted and changes.assigned_device_id <> ''
    and device_key(changes.assigned_device_id) is distinct from device_key(before.assigned_device_id)`;

/** Grouped before they are joined: a million tanks may have got the same device. */
const FIND_SHARED = `
  with shared as materialized (
    select given.device_id, given.tanks as given, count(*) as tanks
    from (select device_id, count(*) as tanks from given_devices group by device_id) given
    join tanks on device_key(tanks.assigned_device_id) = given.device_id and not tanks.deleted
    group by given.device_id, given.tanks having count(*) > 1
  )
  select coalesce(sum(given), 0)::float8 as tanks, count(*)::float8 as devices,
         (select coalesce(json_agg(named), '[]')
          from (select device_id, tanks, array(select id from tanks where device_key(assigned_device_id) = device_id and not deleted
                                        order by id limit ${MAX_NAMED}) as tank_ids
                from shared order by device_id limit ${MAX_NAMED}) named) as first
  from shared`;

export async function findSharedDevices(client: ClientBase): Promise<SharedDevices> {
  await client.query('analyze given_devices');
  const { rows } = await client.query<SharedDevices>(FIND_SHARED);
  return rows[0] ?? { tanks: 0, devices: 0, first: [] };
}
