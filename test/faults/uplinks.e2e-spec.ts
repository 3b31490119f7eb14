// Uplinks while things break: what was answered with 200 is there, whatever is killed, and while the database is away the sender hears so
// soon enough to send again.
import { expect, it } from '@jest/globals';
import { chirpStack, insertSensors } from '../support/uplinks.js';
import { openPool } from '../support/database.js';
import { createKey } from './support/fleet.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const sql = openPool(postgres.url, { max: 1 });
await insertSensors(sql);
await sql.end();
const key = await createKey(postgres.url, { scopes: ['telemetry:write'] });

let second = 0;
/** Each of a second of its own: some become readings, the others are of a device that nobody has. */
function send({ url }: ServiceProcess, isKnown = true): Promise<Outcome> {
  const time = new Date(Date.UTC(2026, 1, 3) + (second += 1) * 1000).toISOString();
  const message = chirpStack(isKnown ? { time } : { time, deviceInfo: { devEui: 'nobody' } });
  return ask(url, {
    method: 'POST',
    path: '/v1/uplinks/chirpstack?event=up',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
}

it('a 503 comes in the time of uplinks while the database is away or hangs, whether the key is known or not', async () => {
  const service = await ServiceProcess.start({ DATABASE_URL: postgres.url, ANSWER_TIMEOUT_MS: '60000' });
  await until('it takes uplinks', async () => (await send(service)).status === 200);

  await postgres.freeze();
  const hanging = await Promise.all([send(service), send(service, false)]);
  const later = await Promise.all([send(service), send(service, false)]); // the key is looked up again
  await postgres.thaw();
  await until('it takes uplinks again', async () => (await send(service)).status === 200);
  await postgres.kill();
  const away = await Promise.all([send(service), send(service, false)]);
  await postgres.bringUp();
  await until('it takes uplinks again', async () => (await send(service)).status === 200);

  const outcomes = [...hanging, ...later, ...away];
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 503));
  expect(outcomes.filter(({ headers }) => headers['retry-after'] === undefined)).toEqual([]);
  expect(Math.max(...outcomes.map(({ milliseconds }) => milliseconds))).toBeLessThan(25_000); // 3.5 s, where others have a minute
});
