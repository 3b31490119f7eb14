// What a reading takes on the disk: its row, its place in the index, its share of the counts, and what is written to the log when
// it is sent alone. For the sizes in docs/scale.md.
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
  const bytes = Object.fromEntries(
    ['rows', 'index', 'counts'].map((what) => [what, sizes[what] / sizes.readings]),
  );
  bytes['log (WAL), sent one by one'] = await measureLog(url);
  return Object.entries(bytes).map(([what, each]) => ({
    what,
    ratio: each / BYTES_OF_A_READING,
    detail: `${each.toFixed(1)} bytes a reading`,
  }));
}

/** Each tank's page has been written since the last checkpoint, so that no copies of whole pages are among it. */
function measureLog(url) {
  return withClient(url, async (client) => {
    const write = async (second) => {
      for (let tank = 1; tank <= TANKS; tank++) await client.query(WRITE_ONE, [`tank-${tank}`, second]);
    };
    const place = async () => (await client.query('select pg_current_wal_lsn() as at')).rows[0].at;
    await write(1);
    const before = await place();
    for (let second = 2; second <= 6; second++) await write(second);
    const { rows } = await client.query('select pg_wal_lsn_diff($1, $2)::float8 as bytes', [
      await place(),
      before,
    ]);
    return rows[0].bytes / (5 * TANKS);
  });
}

const WRITE_ONE = `
  select from write_readings(array[1], array['good'], array[null::text], array[$1::text], array[null::text], array[1],
                             array[now() + $2 * interval '1 second'], array[50::float8], 20000)`;
