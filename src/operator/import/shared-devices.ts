// Finds tanks that an import has given a device that another live tank has, too: readings that name only the device are then
// refused. Only a warning, since devices move from tank to tank, and their lines come in any order.
import type { ClientBase } from 'pg';

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

const MAX_NAMED = 5;

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
