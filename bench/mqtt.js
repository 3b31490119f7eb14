// Messages of a broker that are stored a second, of 1,000 devices with QoS 1, from a backlog; and what one posted by a source costs against a generic one. Needs mosquitto.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { openDatabase, query } from './database.js';
import { freePort, startServer, workDirectory } from './servers.js';

const SIZES = {
  default: { devices: 1_000, messages: 10_000 },
  large: { devices: 1_000, messages: 100_000 },
  smoke: { devices: 50, messages: 100 },
};

/** What reads a generic message as any other sender's. */
const NOWHERE = {
  messages: null,
  channels: null,
  battery_percent: null,
  rssi_dbm: null,
  snr_db: null,
  ignore_when: [],
};
const PLAIN = {
  ...NOWHERE,
  device: { path: 'device_id' },
  time: { path: 'time', time_zone: 'UTC' },
  payload: [{ path: 'payload', as: 'json' }],
};

/** Undefined without mosquitto. */
export async function measureMqtt(server, options, tell) {
  if (spawnSync('mosquitto', ['-h']).error !== undefined) {
    tell('skipped: it needs mosquitto (apt-get install mosquitto)');
    return undefined;
  }
  const size = SIZES[options.size];
  const { url } = await openDatabase(server, 'tank_bench_mqtt', {
    content: size,
    keep: false,
    fill: (filled) => fill(filled, size.devices),
  });
  const key = (
    await runCli(['keys', 'create', '--name', 'sender', '--scope', 'read', 'telemetry:write'], url)
  ).trim();
  const broker = await startBroker();
  Object.assign(process.env, { MQTT_URL: broker, MQTT_KEY: key, MQTT_TOPICS: 'generic=tanks/+/state' });
  const first = await startServer('service', { url, key });
  const client = await mqtt.connectAsync(broker);
  defer(() => client.endAsync(true));
  await untilConsumed(url, client);
  await first.stop();

  tell('messages are published while the service is away');
  const list = messagesFrom(0, size.messages, size.devices);
  await Promise.all(
    list.map(({ device, body }) => client.publishAsync(`tanks/${device}/state`, body, { qos: 1 })),
  );
  const service = await startServer('service', { url, key });
  const published = await backlogRate(url, size.messages);
  tell('others are posted, in turn as generic ones and by a source');
  const { generic, bySource } = await postInTurn(service.port, key, size);
  return {
    ...size,
    published,
    generic,
    bySource,
    ratio: median(bySource) / median(generic),
    load: loadavg()[0],
  };
}

export const mqttLine = ({ messages, devices, published, generic, bySource, ratio, load }) =>
  `${messages} messages of ${devices} devices: ${published.toFixed(0)} a second stored by MQTT, from a backlog; ` +
  `posted one at a time a generic one takes ${median(generic).toFixed(2)} ms, one by a source ${median(bySource).toFixed(2)} ms, ` +
  `ratio ${ratio.toFixed(2)}; load of the machine ${load.toFixed(1)}`;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function fill(url, devices) {
  await query(url, `insert into customers (id, email, name) values ('c', 'c@example.com', 'C')`);
  await query(
    url,
    `insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
     select 't' || i, 'c', 'T', 'd' || i, 100, 'liters', 20 from generate_series(0, $1::integer - 1) i`,
    [devices],
  );
  await query(
    url,
    `insert into sensor_profiles (id, name, level_path, level_unit) values ('level', 'Level', 'level', 'percent')`,
  );
  await query(url, `insert into sources (id, name, rules) values ('plain', 'Plain', $1)`, [
    JSON.stringify(PLAIN),
  ]);
  await query(url, `insert into tank_sensors (tank_key, profile_id) select key, 'level' from tanks`);
  await query(url, 'analyze');
}

async function startBroker() {
  const port = await freePort();
  const file = join(workDirectory(), 'mosquitto.conf');
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n`);
  const child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
  defer(() => child.kill());
  return `mqtt://127.0.0.1:${port}`;
}

/** A message before the service has subscribed would be nobody's. */
async function untilConsumed(url, client) {
  for (let tries = 0; (await stored(url)) === 0; tries++) {
    if (tries > 300) throw new Error('The service takes no messages.');
    await client.publishAsync('tanks/d0/state', messageOf(-1, 1).body, { qos: 1 });
    await sleep(100);
  }
}

/** A reading a minute of each device. */
function messageOf(n, devices) {
  const time = new Date(Date.UTC(2026, 0, 1) + Math.floor(n / devices) * 60_000).toISOString();
  const device = `d${Math.abs(n % devices)}`;
  return { device, body: JSON.stringify({ device_id: device, time, payload: { level: Math.abs(n % 100) } }) };
}

const messagesFrom = (first, messages, devices) =>
  Array.from({ length: messages }, (_, i) => messageOf(first + i, devices));

/** Messages a second, from the first that is stored until all are. */
async function backlogRate(url, messages) {
  const before = await stored(url);
  while ((await stored(url)) === before) await sleep(20);
  const [at, begun] = [await stored(url), performance.now()];
  while ((await stored(url)) < before + messages) await sleep(50);
  return (before + messages - at) / ((performance.now() - begun) / 1000);
}

/** The milliseconds of each, one after the other, so that both have the same machine. */
async function postInTurn(port, key, { devices, messages }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const list = messagesFrom(messages, messages / 5, devices);
  const times = { generic: [], bySource: [] };
  for (const [i, { body }] of list.entries()) {
    const [name, path] = i % 2 === 0 ? ['generic', 'generic'] : ['bySource', 'sources/plain'];
    const begun = performance.now();
    await post(agent, port, key, path, body);
    times[name].push(performance.now() - begun);
  }
  agent.destroy();
  return times;
}

async function stored(url) {
  const [{ n }] = await query(
    url,
    'select coalesce(sum(n), 0)::integer as n from telemetry_counts where level = 0',
  );
  return n;
}

function post(agent, port, key, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const to = { host: '127.0.0.1', port, path: `/v1/uplinks/${path}`, method: 'POST' };
    request({ ...to, agent, headers }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end(body);
  });
}
