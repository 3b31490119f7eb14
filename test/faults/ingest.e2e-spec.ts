// Readings while things break: what was answered with 200 is stored, whatever is killed; everything else may be sent again.
import { describe, expect, it } from '@jest/globals';
import { createFleet, createKey } from './support/fleet.js';
import { expectSound, wrongCounts } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask, type Outcome } from './support/requests.js';
import { lostReadings, Senders, sendReading } from './support/senders.js';
import { ServiceProcess } from './support/service-process.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const postgres = await OwnPostgres.start();
await createFleet(postgres.url);
const key = await createKey(postgres.url, { scopes: ['telemetry:write'] });
const tankIds = (await postgres.query<{ id: string }>('select id from tanks')).map(({ id }) => id);

const start = (environment: Record<string, string> = {}) =>
  ServiceProcess.start({ DATABASE_URL: postgres.url, ...environment });

/** No answer is none that the documentation does not name; connections may be lost only when the service is killed. */
function undocumented(
  outcomes: readonly Outcome[],
  allowed: readonly number[],
): (number | string | undefined)[] {
  const seen = outcomes.map(({ status, error }) => status ?? error);
  return [...new Set(seen)].filter((one) => typeof one !== 'number' || !allowed.includes(one));
}

const acknowledgedAtLeast = (senders: Senders, count: number) =>
  until(`${count} readings are acknowledged`, () => senders.acknowledged.size >= count);

/** Sends what was not acknowledged until it is. */
async function sendTheRest(serviceUrl: string, { sent, acknowledged }: Senders): Promise<void> {
  for (const reading of sent) {
    if (acknowledged.has(reading)) continue;
    const [tankId = '', instant = ''] = reading.split(' ');
    await until(
      'it is taken',
      async () => (await sendReading(serviceUrl, key, tankId, instant)).status === 200,
    );
  }
}

/** What was answered with 200 is stored; the rest is, once sent again; the totals are exact, and the service is as before. */
async function expectNothingLost(senders: Senders, service: ServiceProcess): Promise<void> {
  expect(await lostReadings(postgres.url, senders.acknowledged)).toEqual([]);
  await sendTheRest(service.url, senders);
  expect(await lostReadings(postgres.url, senders.sent)).toEqual([]);
  expect(await wrongCounts(postgres.url)).toBe(0);
  await expectSound(service);
}

describe('readings', () => {
  it('that were acknowledged outlive a service that is killed', async () => {
    const service = stage.add(await start());
    const senders = new Senders({ serviceUrl: service.url, key, tankIds });
    await acknowledgedAtLeast(senders, 200);

    service.child.signal('SIGKILL');
    await service.child.ended;
    await senders.stop();

    expect(await lostReadings(postgres.url, senders.acknowledged)).toEqual([]);
    await expectNothingLost(senders, stage.add(await start()));
  });

  it('that were acknowledged outlive a database that is killed, and the rest can be sent again', async () => {
    const service = stage.add(await start());
    const senders = new Senders({ serviceUrl: service.url, key, tankIds });
    await acknowledgedAtLeast(senders, 200);

    await postgres.kill();
    await postgres.bringUp();
    const before = senders.acknowledged.size;
    await acknowledgedAtLeast(senders, before + 100);
    await senders.stop();

    expect(undocumented(senders.outcomes, [200, 503])).toEqual([]);
    await expectNothingLost(senders, service);
  });

  it('wait for a lock, and are told to come again when it is held for too long', async () => {
    const service = stage.add(await start({ ANSWER_TIMEOUT_MS: '1000' }));
    const senders = new Senders({ serviceUrl: service.url, key, tankIds });
    await acknowledgedAtLeast(senders, 50);
    const unlock = await postgres.lock('telemetry', 'share');
    await until('somebody is told to come again', () =>
      senders.outcomes.some(({ status }) => status === 503),
    );
    await unlock();
    const before = senders.acknowledged.size;
    await acknowledgedAtLeast(senders, before + 50);
    await senders.stop();

    expect(undocumented(senders.outcomes, [200, 503])).toEqual([]);
    await expectNothingLost(senders, service);
  });

  it('that wait when the service is told to stop are written and answered', async () => {
    const service = stage.add(await start());
    const unlock = await postgres.lock('telemetry', 'share');
    const instants = Array.from({ length: 20 }, (_, i) =>
      new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString(),
    );
    const answers = instants.map((instant) => sendReading(service.url, key, tankIds[0] ?? '', instant));
    await until('writes wait', async () => {
      const waiting = await postgres.query(
        `select from pg_stat_activity where application_name = 'tank-monitoring-ingest' and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    service.child.signal('SIGTERM');
    await until('it is stopping', async () =>
      (await service.logLines()).some(({ msg }) => msg === 'stopping'),
    );
    await unlock();

    const outcomes = await Promise.all(answers);
    const taken = instants.filter((_, i) => outcomes[i]?.status === 200);
    expect(await service.child.ended).toEqual({ code: 0, signal: null });
    expect(taken.length).toBeGreaterThan(0);
    expect(
      await lostReadings(
        postgres.url,
        taken.map((instant) => `${tankIds[0]} ${instant}`),
      ),
    ).toEqual([]);
  });
});

describe('a key that holds bodies back', () => {
  const BODY_BYTES = 2_000_000;
  const HOLDERS = 64;
  /** Of an eighth of 128 MiB. */
  const ROOM = 8;

  /** All of a large body but its last byte, which never comes. */
  const hold = (serviceUrl: string, holder: string) => {
    const head = [
      'POST /v1/telemetry HTTP/1.1',
      'Host: x',
      `X-API-Key: ${holder}`,
      'Content-Type: application/json',
      `Content-Length: ${BODY_BYTES}`,
    ].join('\r\n');
    const almostAll = Buffer.alloc(BODY_BYTES - 1, ' ');
    return new Wire(serviceUrl, Buffer.concat([Buffer.from(`${head}\r\n\r\n`), almostAll]), {
      staysOpen: true,
    });
  };

  it('waits past its share and is then refused, while others are taken every time', async () => {
    const service = stage.add(await start({ ANSWER_TIMEOUT_MS: '8000' }));
    const holder = await createKey(postgres.url, { scopes: ['telemetry:write'] });

    const wires = Array.from({ length: HOLDERS }, () => hold(service.url, holder));
    const answers = () => wires.flatMap((wire) => wire.answers);
    const outcomes: Outcome[] = [];
    for (let minute = 0; minute < 100; minute++) {
      const instant = new Date(Date.UTC(2023, 0, 1) + minute * 60_000).toISOString();
      outcomes.push(await sendReading(service.url, key, tankIds[0] ?? '', instant));
    }
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]));
    await until('the rest have waited', () => answers().length === HOLDERS - ROOM, 30_000);

    for (const { status, headers, body } of answers()) {
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '1' });
      expect(JSON.parse(body)).toMatchObject({ code: 'overloaded' });
    }
    wires.forEach((wire) => wire.reset());
    const large = `{"readings":[]}${' '.repeat(BODY_BYTES)}`;
    await until('its share is free again', async () => {
      const headers = { 'X-API-Key': holder, 'Content-Type': 'application/json' };
      return (
        (await ask(service.url, { method: 'POST', path: '/v1/telemetry', headers, body: large })).status ===
        400
      );
    });
    await expectSound(service);
  });
});
