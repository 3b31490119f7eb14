// Messages of a broker while the service, its database and the broker go: each is a reading or in quarantine, none is lost, and two
// processes never consume at the same time.
import { afterEach, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { chirpStack, EUI, insertSensors } from '../support/uplinks.js';
import { createKey } from './support/fleet.js';
import { Mosquitto } from './support/mosquitto.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ServiceProcess, startWorker, type Environment } from './support/service-process.js';
import { openSql, Stage } from './support/stage.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const mosquitto = await Mosquitto.start();
const publisher = await mosquitto.publisher();
await insertSensors(openSql(postgres.url));
const key = await createKey(postgres.url, { scopes: ['telemetry:write'] });
const environment: Environment = {
  DATABASE_URL: postgres.url,
  MQTT_URL: mosquitto.url,
  MQTT_KEY: key,
  MQTT_TOPICS: 'chirpstack=application/+/device/+/event/up,generic=tanks/+',
};
const UP = `application/7/device/${EUI}/event/up`;

const services = new Stage();
afterEach(() => services.clear());

async function startService(more: Environment = {}): Promise<ServiceProcess> {
  return services.add(await ServiceProcess.start({ ...environment, ...more }));
}

const consumes = async (output: { stdout(): Promise<string> }): Promise<boolean> =>
  (await output.stdout()).includes('MQTT: connected');

async function startConsuming(more: Environment = {}): Promise<ServiceProcess> {
  const service = await startService(more);
  await until('it consumes', () => consumes(service.child));
  return service;
}

const countOf = async (what: string): Promise<number> =>
  (await postgres.query<{ n: number }>(`select count(*)::integer as n from ${what}`))[0]?.n ?? -1;

const clear = () => postgres.query('delete from telemetry; delete from quarantined_uplinks');

/** Each of a second of its own; of some nobody has the device, and nearly half are none. */
function message(n: number): [string, unknown] {
  if (n % 20 < 9) return [`tanks/poison-${n}`, 'no JSON'];
  const time = new Date(Date.UTC(2026, 1, 3) + n * 1000).toISOString();
  const devEui = n % 100 === 99 ? `nobody${n}` : EUI;
  return [UP.replace(EUI, devEui), chirpStack({ time, deviceInfo: { devEui } })];
}

/** What became of messages. */
async function found(): Promise<{ readings: number; unknown: number; malformed: number }> {
  return {
    readings: await countOf('telemetry'),
    unknown: await countOf("quarantined_uplinks where reason = 'unknown_device'"),
    malformed: await countOf("quarantined_uplinks where reason = 'malformed'"),
  };
}

it('under load each message is there once, whatever is killed meanwhile, and two never consume at the same time', async () => {
  const MESSAGES = Number(process.env['MQTT_MESSAGES'] ?? 20_000);
  const first = await startConsuming();
  const [second, third] = [await startService(), services.add(await startWorker(environment))];
  const publishing = (async () => {
    for (let n = 0; n < MESSAGES; n += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => publisher.publish(...message(n + i))));
    }
  })();
  const faults = [
    () => Promise.resolve(first.child.signal('SIGKILL')),
    () => mosquitto.stop().then(() => mosquitto.bringUp()),
    () => postgres.kill().then(() => postgres.bringUp()),
    () => Promise.resolve(second.child.signal('SIGTERM')),
  ];
  for (const [done, fault] of faults.entries()) {
    const goOnAt = ((done + 1) * MESSAGES) / 10;
    await until('more of it is there', async () => (await countOf('telemetry')) * 2 > goOnAt);
    await fault();
  }
  await publishing;
  const sum = { readings: MESSAGES * 0.54, unknown: MESSAGES * 0.01, malformed: MESSAGES * 0.45 };
  await until('all is there', async () => (await countOf('telemetry')) === sum.readings, 180_000);
  await until('it is acknowledged', async () => (await found()).malformed >= sum.malformed);

  expect(await found()).toEqual(sum);
  expect(await mosquitto.log()).not.toContain('already connected');
  expect(third.isRunning).toBe(true);
}, 400_000);

it('serves, and tries again, while the broker sends garbage, closes, refuses or is silent', async () => {
  await clear();
  const behaviours: ((socket: Socket) => void)[] = [
    (socket) => socket.end(randomBytes(4_096)),
    (socket) => socket.destroy(),
    (socket) => socket.write(Buffer.from([0x20, 0x03, 0x00, 0x87, 0x00])), // not authorized
    () => undefined,
  ];
  let attempts = 0;
  const strange = createServer((socket) => {
    socket.on('error', () => undefined);
    const behave = behaviours[attempts];
    attempts += 1;
    if (behave !== undefined) return behave(socket);
    const broker = connect(mosquitto.port, '127.0.0.1').on('error', () => undefined);
    socket.pipe(broker).pipe(socket);
  }).listen(0, '127.0.0.1');
  services.add({ stop: async () => void strange.close() });
  await once(strange, 'listening');
  const { port } = strange.address() as AddressInfo;
  const service = await startService({ MQTT_URL: `mqtt://someone:hunter2@127.0.0.1:${port}` });
  await until('all was tried', () => attempts === behaviours.length);
  expect((await service.ready()).status).toBe(200);
  await publisher.publish(UP, chirpStack());
  await until('the message is there', async () => (await countOf('telemetry')) === 1);

  const reasons = (await service.logLines()).flatMap(({ msg, reason }) =>
    msg === 'MQTT: not connected, trying again' ? [reason] : [],
  );
  expect(reasons).toContain('Connection refused: Not authorized');
  expect(await service.output()).not.toContain('hunter2');
});
