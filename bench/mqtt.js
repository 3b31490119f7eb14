// Messages of a broker that are stored a second, of 1,000 devices with QoS 1, against some that are posted one by one. Needs mosquitto.
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
  const service = await startServer('service', { url, key });
  const client = await mqtt.connectAsync(broker);
  defer(() => client.endAsync(true));
  await untilConsumed(url, client);

  tell('messages are published');
  const published = await timed(url, size, 0, (messages) =>
    Promise.all(
      messages.map(({ device, body }) => client.publishAsync(`tanks/${device}/state`, body, { qos: 1 })),
    ),
  );
  tell('a tenth as many are posted');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const fewer = { ...size, messages: size.messages / 10 };
  const posted = await timed(url, fewer, size.messages, async (messages) => {
    for (const { body } of messages) await post(agent, service.port, key, body);
  });
  agent.destroy();
  return { ...size, published, posted, ratio: published / posted, load: loadavg()[0] };
}

export const mqttLine = ({ messages, devices, published, posted, ratio, load }) =>
  `${messages} messages of ${devices} devices: ${published.toFixed(0)} a second stored by MQTT, ` +
  `${posted.toFixed(0)} posted one at a time, ratio ${ratio.toFixed(2)}; load of the machine ${load.toFixed(1)}`;

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

/** Messages a second, until all are stored. */
async function timed(url, { devices, messages }, first, send) {
  const list = Array.from({ length: messages }, (_, i) => messageOf(first + i, devices));
  const before = await stored(url);
  const started = performance.now();
  await send(list);
  while ((await stored(url)) < before + messages) await sleep(50);
  return messages / ((performance.now() - started) / 1000);
}

async function stored(url) {
  const [{ n }] = await query(
    url,
    'select coalesce(sum(n), 0)::integer as n from telemetry_counts where level = 0',
  );
  return n;
}

function post(agent, port, key, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const to = { host: '127.0.0.1', port, path: '/v1/uplinks/generic', method: 'POST' };
    request({ ...to, agent, headers }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end(body);
  });
}
