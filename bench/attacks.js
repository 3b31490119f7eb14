// What one caller may try against the others. `prepare` is done before anything is measured; `begin` returns what is asked, over and
// over, while the neighbour is measured again (nothing, where what it did is enough).
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { DAYS, FIRST_DAY, YEAR_TANK_ID } from './data.js';
import { query } from './database.js';

const KIB = 1_024;
const BODY_BYTES = 2 * KIB * KIB;
const JSON_TYPE = { 'Content-Type': 'application/json' };

const readings = (body, headers, connections = 4) => ({
  method: 'POST',
  path: '/v1/telemetry',
  headers: { 'Content-Length': body.length, ...headers },
  bodies: [body],
  connections,
});
const get = (path, connections, headers = {}) => ({ method: 'GET', path, headers, connections });

/** A message of a device that no tank has, filled with this element up to a size. */
function uplink(device, element, bytes) {
  const [before, after] = [
    `{"deviceInfo":{"devEui":"${device}"},"time":"2026-01-01T00:00:00Z","data":"AA==","object":{"x":[`,
    ']}}',
  ];
  const count = Math.floor((bytes - before.length - after.length + 1) / (element.length + 1));
  return before + Array(count).fill(element).join(',') + after;
}

const device = (n) => `70B3D549${String(n).padStart(8, '0')}`;

/** 64 different ones, so that they do not wait for each other. */
function uplinks(bytes) {
  const bodies = Array.from({ length: 64 }, (_, n) => Buffer.from(uplink(device(n), '{}', bytes)));
  return {
    method: 'POST',
    path: '/v1/uplinks/chirpstack?event=up',
    headers: JSON_TYPE,
    bodies,
    connections: 64,
  };
}

function keepUplinks({ url }, customers, count, payload) {
  return query(
    url,
    `insert into quarantined_uplinks (id, created_at, source, customer_id, device_id, sent_at, reason, payload)
     select gen_random_uuid(), date_trunc('milliseconds', now()) - n * interval '1 second', 'chirpstack', ($1::text[])[1 + n % cardinality($1::text[])],
            'device-' || n % 1000, date_trunc('milliseconds', now()) - n * interval '1 second', 'unknown_device', $3
     from generate_series(0, $2::int - 1) n`,
    [customers, count, payload],
  );
}

/** Each tank's readings of three statements, ten each: pages of the feed that hold as much as they may. */
async function changeReadings({ url, ask }) {
  const { next } = JSON.parse((await ask('/v1/changes?after=latest')).body);
  for (let statement = 0; statement < 3; statement++)
    await query(
      url,
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select key, date_trunc('hour', now()) - interval '1 year' - $1 * interval '1 day' + n * interval '1 minute', 50
       from tanks, generate_series(1, 10) n where not deleted on conflict do nothing`,
      [statement],
    );
  for (let tries = 0; tries < 100; tries++) {
    const [{ waits }] = await query(url, 'select exists (select from change_notes) as waits');
    if (!waits) return next;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The changes were not placed within 10 seconds.');
}

const RETRY = {
  name: '64 kept uplinks of 256 KiB, retried ×4',
  prepare: (world) =>
    keepUplinks(world, [world.attacker.customer], 64, uplink(device(1), '{"a":{"b":{}}}', 256 * KIB)),
  begin: () => ({ method: 'POST', path: '/v1/uplinks/retry', headers: {}, connections: 4 }),
};
const UPLINKS = {
  name: 'uplinks of 64 KiB of [{},{},…] ×64',
  begin: () => uplinks(64 * KIB),
};
const LARGE_UPLINKS = {
  name: 'uplinks of 256 KiB of [{},{},…] ×64',
  begin: () => uplinks(256 * KIB),
};
const junk = (perSecond) => ({
  name: `2 MiB of junk as NDJSON, ${perSecond} a second`,
  begin: () => ({
    ...readings(Buffer.alloc(BODY_BYTES, '{"tank_id":"'), { 'Content-Type': 'application/x-ndjson' }, 100),
    perSecond,
  }),
});
/** As many as a request may have, some 2 MiB of them, each time others. */
const realReadings = (tank) =>
  Array.from({ length: 20 }, (_, body) => {
    const first = FIRST_DAY - (body + 1) * 10_000_000_000;
    const lines = Array.from({ length: 10_000 }, (_reading, n) => {
      const time = new Date(first + n * 60_000).toISOString();
      return `{"tank_id":"${tank}","created_at":"${time}","fill_percentage":${n % 100}}`.padEnd(209);
    });
    return Buffer.from(lines.join('\n'));
  });
const crowd = (name, path, connections, headers) => ({
  name: `${name} ×${connections}`,
  begin: () => get(path, connections, headers),
});
const BY_ALERT = '/v1/fleet/tanks?sort=alert_at&size=100';
const SMALL_HEAP = ['--max-old-space-size=256'];
const inSmallHeap = (attack) => ({
  ...attack,
  name: `${attack.name}, heap of 256 MB`,
  flags: SMALL_HEAP,
});

export const ATTACKS = [
  RETRY,
  {
    name: 'gzip of {"readings":[[[[…, 1 M deep ×4',
    begin: () =>
      readings(gzipSync(`{"readings":${'['.repeat(1_000_000)}`), {
        ...JSON_TYPE,
        'Content-Encoding': 'gzip',
      }),
  },
  {
    name: '9,999 readings, tank_id nested 95 deep ×4',
    begin: () => {
      const reading = `{"tank_id":${'['.repeat(95)}${']'.repeat(95)}}`;
      return readings(Buffer.from(`{"readings":[${Array(9_999).fill(reading).join(',')}]}`), JSON_TYPE);
    },
  },
  {
    name: '2 MiB of line breaks as NDJSON ×4',
    begin: () => readings(Buffer.alloc(BODY_BYTES, '\n'), { 'Content-Type': 'application/x-ndjson' }),
  },
  {
    name: 'one CSV cell of 2 MiB of "" ×4',
    begin: () => {
      const header = 'tank_id,created_at,fill_percentage\n"';
      return readings(Buffer.from(header.padEnd(BODY_BYTES - 1, '"')), { 'Content-Type': 'text/csv' });
    },
  },
  UPLINKS,
  LARGE_UPLINKS,
  {
    name: '1,000 waits at the feed',
    settleSeconds: 8, // each looks once before it waits
    begin: async ({ ask }) => {
      const { next } = JSON.parse((await ask('/v1/changes?after=latest')).body);
      return get(`/v1/changes?after=${next}&wait=25`, 1_000);
    },
    /** Whether there is a place for another key. */
    also: async ({ ask }) => {
      const { next } = JSON.parse((await ask('/v1/changes?after=latest')).body);
      return `another key that waits: ${(await ask(`/v1/changes?after=${next}&wait=1`)).status}`;
    },
  },
  {
    name: 'pages of 1,000 of the feed ×100',
    prepare: async (world) => (world.after = await changeReadings(world)),
    begin: ({ after }) => get(`/v1/changes?after=${after}&size=1000`, 100),
  },
  {
    name: "one tank patched ×100; the neighbour's PATCH",
    probe: ({ neighbour }, n) => ({
      method: 'PATCH',
      path: `/v1/tanks/${neighbour.tank}`,
      headers: JSON_TYPE,
      body: `{"custom_id":"${n}-${randomUUID()}"}`,
    }),
    begin: ({ attacker }) => ({
      method: 'PATCH',
      path: `/v1/tanks/${attacker.tank}`,
      headers: JSON_TYPE,
      bodies: Array.from({ length: 500 }, (_, n) => Buffer.from(`{"name":"Boiler house ${n}"}`)),
      connections: 100,
    }),
  },
  {
    name: "100,000 kept uplinks of others; the neighbour's GET /v1/uplinks",
    probe: () => ({ path: '/v1/uplinks' }),
    begin: async (world) => {
      await keepUplinks(world, world.others, 100_000, '{}');
      await query(world.url, 'vacuum analyze quarantined_uplinks');
    },
  },
  {
    name: 'CSV of 10,000 readings ×64',
    begin: () => get(`/v1/tanks/${YEAR_TANK_ID}/telemetry?size=10000`, 64, { Accept: 'text/csv' }),
  },
  {
    name: 'series of a large tank ×64',
    begin: ({ attacker }) => {
      const range = [FIRST_DAY, FIRST_DAY + DAYS * 86_400_000].map((time) => new Date(time).toISOString());
      return get(
        `/v1/tanks/${attacker.tank}/telemetry/series?created_at_gte=${range[0]}&created_at_lte=${range[1]}&interval=1d`,
        64,
      );
    },
  },
  ...[10, 30, 100].map((n) => crowd('fleet by alert', BY_ALERT, n)),
  crowd('activity', '/v1/activity?size=100', 100),
  crowd('GET /v1/fleet', '/v1/fleet', 100),
  crowd('GET /v1/key', '/v1/key', 100),
  crowd('CSV of 1,000 tanks', '/v1/tanks?size=1000', 100, { Accept: 'text/csv' }),
  junk(20),
  junk(50),
  {
    name: '2 MiB of readings, 10 a second',
    begin: ({ attacker }) => {
      const bodies = realReadings(attacker.tank);
      const type = { 'Content-Type': 'application/x-ndjson' };
      return { ...readings(bodies[0], type, 100), bodies, perSecond: 10 };
    },
  },
  {
    name: '60 uplinks at once',
    begin: () => ({ ...uplinks(64 * KIB), connections: 60 }),
  },
  inSmallHeap(RETRY),
  inSmallHeap(UPLINKS),
  inSmallHeap(LARGE_UPLINKS),
];
