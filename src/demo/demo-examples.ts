// What the demo's Swagger UI is prefilled with: a tank that reports, its owner and its device, the newest event and uplink. And the objects
// that its writes are tried out on, so that nothing of the fleet is changed or deleted by it.
import type { DataSource } from 'typeorm';
import type { LiveExamples } from '../common/openapi/live-examples.js';

type Row = Record<'tank_id' | 'device_id' | 'owner_id', string> & {
  event_id: string | null;
  uplink_id: string | null;
};

/** Undefined while there is no tank with a reading. */
export async function findExamples(dataSource: DataSource): Promise<LiveExamples | undefined> {
  const [row]: Row[] = await dataSource.query(`
    select tank.id as tank_id, tank.assigned_device_id as device_id, tank.owner_id,
           (select id from events order by created_at desc, id desc limit 1) as event_id,
           (select id from quarantined_uplinks order by created_at desc, id desc limit 1) as uplink_id
    from tanks tank join tank_states state on state.tank_key = tank.key
    where not tank.deleted and exists (select from customers where id = tank.owner_id and not deleted)
      and state.reported_at is not null
    order by state.reported_at desc, tank.id limit 1`);
  if (row === undefined) return undefined;
  const { tank_id, device_id, owner_id, event_id, uplink_id } = row;
  const ids = {
    customers: owner_id,
    tanks: tank_id,
    recipients: 'example-recipient',
    runs: 'example-run',
    webhook_endpoints: 'example-endpoint',
    users: 'example-user',
    ...(event_id !== null && { events: event_id }),
    ...(uplink_id !== null && { uplinks: uplink_id }),
  };
  return { ids, reading: { tank_id, device_id } };
}

/**
 * The ids that the OpenAPI document names: some to replace and change, some to delete. They come last in every list. The endpoints' secrets
 * cannot be opened, so nothing is sent to them; nobody has the keys, and the users cannot sign in.
 */
const MAKE_WRITABLE = `
  insert into customers (id, created_at, email, name)
  select id, '2024-01-01Z', id || '@example.com', name
  from (values ('example-customer', 'Example Ltd'), ('old-customer', 'Old customer'),
               ('forgotten-customer', 'Forgotten customer')) given (id, name)
  on conflict (id) do update set deleted = false where customers.deleted;
  insert into tanks (id, created_at, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
  select id, '2024-01-01Z', 'example-customer', name, '', 2700, 'liters', 20
  from (values ('example-tank', 'Boiler house'), ('old-tank', 'Old tank')) given (id, name)
  on conflict (id) do update set deleted = false where tanks.deleted;
  insert into runs (id, created_at, updated_at, date, name, capacity_unit)
  select id, '2024-01-01Z', '2024-01-01Z', date, 'Example truck', 'liters'
  from (values ('example-run', date '2024-01-01'), ('old-run', date '2024-01-02')) given (id, date) on conflict do nothing;
  insert into run_stops (run_id, tank_id, place, date, planned)
  select id, 'example-tank', 0, date, 1800 from runs where id in ('example-run', 'old-run') on conflict do nothing;
  insert into sensor_profiles (id, created_at, name, level_path, level_unit)
  values ('old-sensor', '2024-01-01Z', 'Old sensor', 'level', 'percent') on conflict do nothing;
  insert into sources (id, created_at, name, rules) select 'old-gateway', '2024-01-01Z', 'Old gateway', rules
  from sources where id = 'sigfox' on conflict do nothing;
  insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload)
  values ('00000000-0000-7000-8000-000000000001', now() - interval '20 days', 'chirpstack', 'old-device', '2024-01-01Z', 'unknown_device',
          '{"deviceInfo":{"devEui":"old-device"},"time":"2024-01-01T00:00:00Z","object":{"level":50}}')
  on conflict do nothing;
  insert into webhook_endpoints (id, created_at, updated_at, url, customer_id, secret)
  select id, '2024-01-01Z', '2024-01-01Z', 'https://example.com/hook', 'example-customer', ''
  from (values ('example-endpoint'), ('old-endpoint')) given (id) on conflict do nothing;
  insert into api_keys (prefix, hash, name, customer_id, created_at)
  select prefix, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'Example', 'example-customer', '2024-01-01Z'
  from (values ('tms_Zx81aQ2b'), ('tms_oldKey01')) given (prefix)
  on conflict (prefix) do update set revoked_at = null, expires_at = null;
  insert into users (id, created_at, updated_at, issuer, subject, email, name)
  select id, '2024-01-01Z', '2024-01-01Z', 'https://login.example.com', id, id || '@example.com', 'Example'
  from (values ('example-user'), ('old-user')) given (id) on conflict do nothing;
  insert into recipients (id, created_at, updated_at, email, owner_id, events, time_zone, language, confirmed_at, active_since)
  select id, '2024-01-01Z', '2024-01-01Z', id || '@example.com', 'example-customer', '{tank.low}', 'UTC', 'en', now(), now()
  from (values ('example-recipient'), ('old-recipient')) given (id) on conflict do nothing;
  insert into recipients (id, created_at, updated_at, email, owner_id, events, time_zone, language)
  values ('new-recipient', '2024-01-01Z', '2024-01-01Z', 'new@example.com', 'example-customer', '{tank.low}', 'UTC', 'en') on conflict do nothing`;

/** Also after they were deleted. */
export async function makeWritableExamples(dataSource: DataSource): Promise<void> {
  await dataSource.query(MAKE_WRITABLE);
}
