// Messages of a broker while the service, its database and the broker go: each is a reading or in quarantine, none is lost, and two
// processes never consume at the same time.
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../support/database.js';
import { chirpStack, EUI, insertSensors } from '../support/uplinks.js';
import { makeCertificate } from './support/certificates.js';
import { Child } from './support/child.js';
import { createKey } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { Mosquitto } from './support/mosquitto.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask } from './support/requests.js';
import { ServiceProcess, type Environment } from './support/service-process.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const stage = new Stage();
afterAll(() => stage.clear());

const postgres = stage.add(await OwnPostgres.start());
const mosquitto = stage.add(await Mosquitto.start());
const publisher = stage.add(await mosquitto.publisher());
const sql = openPool(postgres.url, { max: 1 });
await insertSensors(sql);
await sql.end();
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

async function startWorker(): Promise<Child> {
  const child = new Child({
    command: process.execPath,
    args: [fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), 'worker'],
    environment: { PATH: process.env['PATH'], ...environment },
    folder: await temporaryFolder(),
  });
  services.add(child);
  return child;
}

const consumes = async (output: { stdout(): Promise<string> }): Promise<boolean> =>
  (await output.stdout()).includes('MQTT: connected');

async function startConsuming(more: Environment = {}): Promise<ServiceProcess> {
  const service = await startService(more);
  await until('it consumes', () => consumes(service.child), 40_000);
  return service;
}

const countOf = async (what: string): Promise<number> =>
  (await postgres.query<{ n: number }>(`select count(*)::integer as n from ${what}`))[0]?.n ?? -1;

const clear = () => postgres.query('delete from telemetry; delete from quarantined_uplinks');

/** Each of a second of its own; of every tenth nobody has the device, and one of a hundred is none. */
function message(n: number): [string, unknown] {
  const time = new Date(Date.UTC(2026, 1, 3) + n * 1000).toISOString();
  if (n % 100 === 1) return ['tanks/poison', `no JSON ${n}`];
  return [
    UP,
    n % 10 === 2 ? chirpStack({ time, deviceInfo: { devEui: `nobody-${n}` } }) : chirpStack({ time }),
  ];
}

/** How many of the first `n` messages become what. */
function expected(n: number): { readings: number; unknown: number; malformed: number } {
  const all = Array.from({ length: n }, (_, i) => i);
  const malformed = all.filter((i) => i % 100 === 1).length;
  const unknown = all.filter((i) => i % 100 !== 1 && i % 10 === 2).length;
  return { readings: n - malformed - unknown, unknown, malformed };
}

async function found(): Promise<object> {
  return {
    readings: await countOf('telemetry'),
    unknown: await countOf("quarantined_uplinks where reason = 'unknown_device'"),
    malformed: await countOf(`(
      select distinct payload from quarantined_uplinks where reason = 'malformed') poison`),
  };
}

describe('under load', () => {
  it('each message is a reading or kept, whatever is killed meanwhile, and none is lost', async () => {
    const MESSAGES = 20_000;
    let consumers = [await startConsuming(), await startService()];
    let isPublished = false;
    const publishing = (async () => {
      for (let n = 0; n < MESSAGES; n += 100) {
        const some = Array.from({ length: 100 }, (_, i) => publisher.publish(...message(n + i)));
        await Promise.all(some);
      }
      isPublished = true;
    })();
    const faults = [
      async () => {
        const [first, ...others] = consumers;
        first?.child.signal('SIGKILL');
        consumers = [...others, await startService()];
      },
      async () => {
        await mosquitto.shutDown();
        await mosquitto.bringUp();
      },
      async () => {
        await postgres.kill();
        await sleep(500);
        await postgres.bringUp();
      },
    ];
    for (const fault of [...faults, ...faults.toReversed()]) {
      await sleep(3_000);
      await fault();
    }
    await publishing;
    expect(isPublished).toBe(true);
    await until(
      'all are there',
      async () => JSON.stringify(await found()) === JSON.stringify(expected(MESSAGES)),
      200_000,
    ).catch(() => undefined);

    expect(await found()).toEqual(expected(MESSAGES));
  }, 400_000);
});
