// What one caller may try against the others: a key of one customer, unless `as` says another one. `prepare` is done before anything is
// measured; `begin` returns what is asked, over and over, while the neighbour is measured again (nothing, where what it did is enough).
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Links } from '../build/notices/links.js';
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
const post = (path, bodies, connections) => ({
  method: 'POST',
  path,
  headers: JSON_TYPE,
  bodies: bodies.map((body) => Buffer.from(JSON.stringify(body))),
  connections,
});

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

/** Each time another one: what is there already is no change. */
let daysBefore = 0;

/** Each tank's readings of three statements, ten each: pages of the feed that hold as much as they may. */
async function changeReadings({ url, ask }) {
  const { next } = JSON.parse((await ask('/v1/changes?after=latest')).body);
  for (let statement = 0; statement < 3; statement++)
    await query(
      url,
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select key, date_trunc('hour', now()) - interval '1 year' - $1 * interval '1 day' + n * interval '1 minute', 50
       from tanks, generate_series(1, 10) n where not deleted on conflict do nothing`,
      [daysBefore++],
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
const patchOfNeighbour = ({ neighbour }, n) => ({
  method: 'PATCH',
  path: `/v1/tanks/${neighbour.tank}`,
  headers: JSON_TYPE,
  body: `{"custom_id":"${n}-${randomUUID()}"}`,
});
const crowd = (name, path, connections, headers) => ({
  name: `${name} ×${connections}`,
  begin: () => get(path, connections, headers),
});
const DOCUMENT = '/openapi.json';
const BROTLI = { 'Accept-Encoding': 'br' };

/** Every text in it is JSON, and so are the texts in that. */
function textInText() {
  const entries = Array.from({ length: 1_500 }, (_, n) => `{"t":${1_700_000_000 + n},"v":${n % 100}}`);
  return { text: JSON.stringify({ inner: JSON.stringify({ id: 'nobody', level: 5 }), log: entries }) };
}
const TEN = Array.from({ length: 10 }, (_, n) => n);
const rulesFor = (path) => Array.from({ length: 20 }, () => ({ path, equals: 'none' }));
const channelsAt = (path) => Array.from({ length: 20 }, (_, n) => ({ name: String(n), path }));

/** 5 × 20 tanks, with a device for each channel of each message. */
async function addChannels({ url, send }) {
  await send('PUT', '/v1/sources/bench-channels', {
    name: 'Channels',
    device: { path: 'id' },
    messages: { path: '' },
    channels: channelsAt('all'),
  });
  await query(
    url,
    `insert into sensor_profiles (id, name, level_path, level_unit, history)
     values ('bench', 'Bench', 'level', 'percent', '{"path":"log","time":"t","level":"v"}') on conflict do nothing;
     update tanks set assigned_device_id = 'gateway-' || place / 20 || '#' || place % 20
     from (select key, row_number() over (order by key) - 1 as place from tanks where not deleted limit 100) found
     where found.key = tanks.key;
     insert into tank_sensors (tank_key, profile_id)
     select key, 'bench' from tanks where assigned_device_id like 'gateway-%' on conflict do nothing;`,
  );
}

/** Each time of other times. */
const channelPost = (turn) =>
  Array.from({ length: 5 }, (_, message) => ({
    id: `gateway-${message}`,
    all: {
      log: Array.from({ length: 500 }, (_entry, n) => ({
        t: 1_600_000_000 + (turn * 500 + n) * 60,
        v: n % 100,
      })),
    },
  }));

/** Of the attacker's customer, all of them low. */
function addLowTanks({ url, attacker, scale }, count, name) {
  return query(
    url,
    `insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage, latitude, longitude)
     select 'low-' || n, '${attacker.customer}', 'Boiler house ' || n, 'low-' || n, 2000, 'liters', 20, 47 + n % 100 / 1e3, 15 + n / 1e5
     from generate_series(1, ${Math.ceil(count * scale)}) n on conflict do nothing;
     insert into telemetry (tank_key, created_at, fill_percentage)
     select key, date_trunc('milliseconds', now()), 5 from tanks where id like 'low-%' on conflict do nothing;
     update tanks set name = ${name} where id like 'low-%';
     delete from tanks_to_judge;`,
  );
}
const suggest = (connections) =>
  post('/v1/runs/suggest', [{ date: new Date().toISOString().slice(0, 10), capacity: 10_000 }], connections);

/** A delivery of half a day ago, and a reading every few milliseconds around it. */
function addDelivery({ url, attacker, scale }, most) {
  const count = Math.ceil(most * scale);
  return query(
    url,
    `insert into telemetry (tank_key, created_at, fill_percentage)
     select key, date_trunc('milliseconds', now() - interval '24 hours' + n * interval '24 hours' / ${count}), 10 + n / ${count / 80}
     from tanks, generate_series(0, ${count - 1}) n where id = '${attacker.tank}' on conflict do nothing;
     insert into runs (id, date, capacity_unit) values ('bench-delivered', current_date, 'liters') on conflict do nothing;
     insert into run_stops (run_id, tank_id, place, date, planned, status, delivered, delivered_at, entered_at, measure_since)
     values ('bench-delivered', '${attacker.tank}', 1, current_date, 100, 'delivered', 100,
             date_trunc('milliseconds', now() - interval '12 hours'), now(), now()) on conflict do nothing;`,
  );
}

/** Pressed once already: the link of somebody who wants no more mails. */
async function unsubscribeLink({ url }) {
  const [recipient] = await query(
    url,
    `insert into recipients (email, events, time_zone, language, confirmed_at)
     values ('pressed@example.com', '{tank.low}', 'UTC', 'en', now())
     on conflict (lower(email), owner_id) do update set paused = false returning id, email, link_number`,
  );
  const links = new Links({
    webhooks: { secretKeys: process.env.WEBHOOK_SECRET_KEY.split(',') },
    publicUrl: '',
  });
  return links.unsubscribe(recipient);
}

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
    name: 'pages of 1,000 of the feed ×20, of all tanks',
    as: 'dispatcher',
    prepare: async (world) => (world.after = await changeReadings(world)),
    begin: ({ after }) => get(`/v1/changes?after=${after}&size=1000`, 20),
  },
  {
    name: "one tank patched ×100; the neighbour's PATCH",
    probe: patchOfNeighbour,
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
  { name: `${DOCUMENT} with br ×16, without a key`, as: 'nobody', begin: () => get(DOCUMENT, 16, BROTLI) },
  {
    name: `${DOCUMENT} pipelined by 60 that read nothing`,
    as: 'nobody',
    begin: () => ({ ...get(DOCUMENT, 60, BROTLI), isPipelined: true }),
  },
  {
    name: 'uplinks of 63 KiB of JSON in texts ×4',
    as: 'dispatcher',
    prepare: ({ send }) =>
      send('PUT', '/v1/sources/bench-texts', {
        name: 'Texts',
        device: { path: 'text.inner.id' },
        ignore_when: rulesFor('text.inner.x'),
        channels: channelsAt('text'),
      }),
    begin: () => post('/v1/uplinks/sources/bench-texts', [textInText()], 4),
  },
  {
    name: '5 messages × 20 channels × 500 entries ×4',
    as: 'dispatcher',
    prepare: addChannels,
    begin: () => post('/v1/uplinks/sources/bench-channels', TEN.map(channelPost), 4),
  },
  {
    name: 'a run of 200 stops × 440 unknown fields ×4',
    as: 'dispatcher',
    begin: () => {
      const stop = Object.fromEntries(Array.from({ length: 440 }, (_, n) => [`x${n}`, 0]));
      return post('/v1/runs', [{ date: '2026-11-24', stops: Array(200).fill(stop) }], 4);
    },
  },
  {
    name: 'a run of 200 stops, read ×64',
    as: 'dispatcher',
    prepare: async ({ url, send }) => {
      const tanks = await query(url, 'select id from tanks where not deleted order by key limit 200');
      const stops = tanks.map(({ id }) => ({ tank_id: id, planned: 100, note: 'Ring the bell' }));
      await send('PUT', '/v1/runs/bench', { date: '2026-11-24', stops });
    },
    begin: () => get('/v1/runs/bench', 64),
  },
  {
    name: "a pressed link of a mail ×1,000, without a key; the neighbour's PATCH",
    as: 'nobody',
    probe: patchOfNeighbour,
    begin: async (world) => ({ ...post(await unsubscribeLink(world), [{}], 1_000) }),
  },
  {
    name: 'wrong keys ×1,000, each another one',
    as: 'nobody',
    begin: () => ({ ...get('/v1/key', 1_000), isGuessing: true }),
  },
  inSmallHeap({
    name: 'activity with 500 kB an entry ×4',
    prepare: ({ url, attacker }) =>
      query(
        url,
        `insert into activity (type, object_id, owner_id, operation, actor, changes)
         select 'tank', $1, $2, 'update', 'bench',
                json_build_object('name', json_build_object('from', repeat('x', 250000), 'to', repeat('y', 250000)))
         from generate_series(1, 100)`,
        [attacker.tank, attacker.customer],
      ),
    begin: () => get('/v1/activity?size=100', 4),
  }),
  inSmallHeap(RETRY),
  inSmallHeap(UPLINKS),
  inSmallHeap(LARGE_UPLINKS),
  // The last, since they leave many rows.
  {
    name: 'suggest among 10,000 due tanks ×4',
    as: 'dispatcher',
    prepare: (world) => addLowTanks(world, 10_000, 'name'),
    begin: () => suggest(4),
  },
  inSmallHeap({
    name: 'suggest among 15,000 due tanks with names of 16 kB ×4',
    as: 'dispatcher',
    prepare: (world) => addLowTanks(world, 15_000, "repeat('Boiler house ', 1230)"),
    begin: () => suggest(4),
  }),
  inSmallHeap({
    name: 'a delivery among 1,000,000 readings',
    beside: 20, // it is measured every 15 s
    begin: (world) => addDelivery(world, 1_000_000),
  }),
];
