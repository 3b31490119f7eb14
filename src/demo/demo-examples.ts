// What the demo's Swagger UI is prefilled with: a tank that reports, its owner and its device, the newest event and uplink. And the objects
// that its writes are tried out on, so that nothing of the fleet is changed or deleted by it.
import type { DataSource } from 'typeorm';
import type { LiveExamples } from '../common/openapi/live-examples.js';
import { readLines } from './demo-fleet.js';

type Row = Record<'tank_id' | 'device_id', string> & { readonly ids: LiveExamples['ids'] };

/** Undefined while there is no tank with a reading. */
export async function findExamples(dataSource: DataSource): Promise<LiveExamples | undefined> {
  const [row]: Row[] = await dataSource.query(`
    select tank.id as tank_id, tank.assigned_device_id as device_id, json_strip_nulls(json_build_object(
      'customers', tank.owner_id, 'tanks', tank.id, 'recipients', 'example-recipient', 'runs', 'example-run',
      'webhook_endpoints', 'example-endpoint', 'users', 'example-user',
      'events', (select id from events order by created_at desc, id desc limit 1),
      'uplinks', (select id from quarantined_uplinks order by created_at desc, id desc limit 1))) as ids
    from tanks tank join tank_states state on state.tank_key = tank.key
    where not tank.deleted and exists (select from customers where id = tank.owner_id and not deleted)
      and state.reported_at is not null
    order by state.reported_at desc, tank.id limit 1`);
  if (row === undefined) return undefined;
  const { ids, ...reading } = row;
  return { ids, reading };
}

/** What trying out may have ended is as it was at the next start. */
const RENEWED: Readonly<Record<string, string>> = {
  customers: '(id) do update set deleted = false where customers.deleted',
  tanks: '(id) do update set deleted = false where tanks.deleted',
  api_keys: '(prefix) do update set revoked_at = null, expires_at = null',
};

/**
 * data/examples.ndjson has the ids that the OpenAPI document names: some to replace and change, some to delete. They come last in every list.
 * The endpoints' secrets cannot be opened, so nothing is sent to them; nobody has the keys, and the users cannot sign in.
 */
export async function makeWritableExamples(dataSource: DataSource): Promise<void> {
  await dataSource.transaction((manager) => addRows(manager));
}

/** On a connection of either library; of one table, or all. */
export async function addRows(
  connection: { query(text: string, values: unknown[]): Promise<unknown> },
  only?: string,
): Promise<void> {
  for (const { table, row } of readLines<{ table: string; row: object }>('examples', Date.now())) {
    if (only !== undefined && table !== only) continue;
    const columns = Object.keys(row).join();
    await connection.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)
       on conflict ${RENEWED[table] ?? 'do nothing'}`,
      [JSON.stringify(row)],
    );
  }
}
