// What a reading takes on the disk: its row, its place in the index, and its share of the counts, for the sizes in docs/scale.md.
import { openDatabase, query, withClient } from './database.js';

const TANKS = 200;
const DAYS = 90;
const BYTES_OF_A_READING = 24; // a key, an instant, a level

/** Readings every 15 minutes, in the order in which they come in. */
const FILL = `
  insert into customers (id, email, name) values ('owner', 'owner@example.com', 'Owner');
  insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
  select 'tank-' || n, 'owner', 'Tank ' || n, 'device-' || n, 1000, 'liters', 10 from generate_series(1, ${TANKS}) n;
  insert into telemetry
  select tanks.key, moment, 50
  from generate_series(now() - interval '${DAYS} days', now(), interval '15 minutes') moment, tanks
  order by moment, tanks.key;`;

const SIZES = `
  select (select count(*) from telemetry)::float8 as readings,
         pg_table_size('telemetry')::float8 as rows, pg_indexes_size('telemetry')::float8 as index,
         pg_total_relation_size('telemetry_counts')::float8 as counts`;

export async function measureDisk(server) {
  const { url } = await openDatabase(server, 'tank_bench_disk', {
    content: { TANKS, DAYS },
    keep: false,
    fill: (filled) => withClient(filled, (client) => client.query(FILL)),
  });
  await query(url, 'vacuum full telemetry_counts');
  const [sizes] = await query(url, SIZES);
  return ['rows', 'index', 'counts'].map((what) => {
    const bytes = sizes[what] / sizes.readings;
    return { what, ratio: bytes / BYTES_OF_A_READING, detail: `${bytes.toFixed(1)} bytes a reading` };
  });
}
