// Uplinks while things break: what was answered with 200 is there, whatever is killed, and while the database is away the sender hears so
// soon enough to send again.
import { expect, it } from '@jest/globals';
import { chirpStack, insertSensors } from '../support/uplinks.js';
import { createKey } from './support/fleet.js';
import { expectOnly } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import type { Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { openSql } from './support/stage.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
await insertSensors(openSql(postgres.url));
const key = await createKey(postgres.url, { scopes: ['telemetry:write'] });

let second = 0;
/** Each of a second of its own: some become readings, the others are of a device that nobody has. */
function send(service: ServiceProcess, isKnown = true): Promise<Outcome> {
  const time = new Date(Date.UTC(2026, 1, 3) + (second += 1) * 1000).toISOString();
  const message = chirpStack(isKnown ? { time } : { time, deviceInfo: { devEui: 'nobody' } });
  return service.send(key, 'POST', '/v1/uplinks/chirpstack?event=up', message);
}

it('a 503 comes in the time of uplinks while the database is away or hangs, whether the key is known or not', async () => {
  const service = await ServiceProcess.start({ DATABASE_URL: postgres.url, ANSWER_TIMEOUT_MS: '60000' });
  const takesUplinks = () => until('it takes uplinks', async () => (await send(service)).status === 200);
  await takesUplinks();

  await postgres.freeze();
  const hanging = await Promise.all([send(service), send(service, false)]);
  const later = await Promise.all([send(service), send(service, false)]); // the key is looked up again
  await postgres.thaw();
  await takesUplinks();
  await postgres.kill();
  const away = await Promise.all([send(service), send(service, false)]);
  await postgres.bringUp();
  await takesUplinks();

  const outcomes = [...hanging, ...later, ...away];
  expectOnly([503], outcomes);
  expect(Math.max(...outcomes.map(({ milliseconds }) => milliseconds))).toBeLessThan(25_000); // 3.5 s, where others have a minute
});
