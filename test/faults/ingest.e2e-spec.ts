// Readings while things break: what was answered with 200 is stored, whatever is killed; everything else may be sent again.
import { describe, expect, it } from '@jest/globals';
import { createFleet, createKey } from './support/fleet.js';
import { expectOnly, expectSound, wrongCounts } from './support/judgement.js';
import { OwnPostgres, waitForLocks } from './support/own-postgres.js';
import { ask, type Outcome } from './support/requests.js';
import { lostReadings, Senders, sendReading } from './support/senders.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const postgres = await OwnPostgres.start();
await createFleet(postgres.url);
const key = await createKey(postgres.url, { scopes: ['telemetry:write'] });
const tankIds = (await postgres.query<{ id: string }>('select id from tanks')).map(({ id }) => id);

const start = (environment: Record<string, string> = {}) =>
  ServiceProcess.start({ DATABASE_URL: postgres.url, ...environment });

/** Senders of which so many readings are acknowledged. */
async function startSenders({ url: serviceUrl }: ServiceProcess, count: number): Promise<Senders> {
  const senders = new Senders({ serviceUrl, key, tankIds });
  await acknowledgedMore(senders, count);
  return senders;
}

function acknowledgedMore({ acknowledged }: Senders, count: number): Promise<void> {
  const enough = acknowledged.size + count;
  return until(`${count} more readings are acknowledged`, () => acknowledged.size >= enough);
}

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

/** What was not acknowledged is stored once it is sent again; the totals are exact, and the service is as before. */
async function expectAllStored(senders: Senders, service: ServiceProcess): Promise<void> {
  await sendTheRest(service.url, senders);
  expect(await lostReadings(postgres.url, senders.sent)).toEqual([]);
  expect(await wrongCounts(postgres.url)).toBe(0);
  await expectSound(service);
}

describe('readings', () => {
  it('that were acknowledged outlive a service that is killed', async () => {
    const service = await start();
    const senders = await startSenders(service, 200);

    service.child.signal('SIGKILL');
    await service.child.ended;
    await senders.stop();

    expect(await lostReadings(postgres.url, senders.acknowledged)).toEqual([]);
    await expectAllStored(senders, await start());
  });

  it('that were acknowledged outlive a database that is killed, and the rest can be sent again', async () => {
    const service = await start();
    const senders = await startSenders(service, 200);

    await postgres.kill();
    await postgres.bringUp();
    await acknowledgedMore(senders, 100);
    await senders.stop();

    expectOnly([200, 503], senders.outcomes);
    expect(await lostReadings(postgres.url, senders.acknowledged)).toEqual([]);
    await expectAllStored(senders, service);
  });

  it('wait for a lock, and are told to come again when it is held for too long', async () => {
    const service = await start({ ANSWER_TIMEOUT_MS: '5000' });
    const senders = await startSenders(service, 50);
    const unlock = await postgres.lock('telemetry', 'share');
    await until('somebody is told to come again', () =>
      senders.outcomes.some(({ status }) => status === 503),
    );
    await unlock();
    await acknowledgedMore(senders, 50);
    await senders.stop();

    expectOnly([200, 503], senders.outcomes);
    expect(await lostReadings(postgres.url, senders.acknowledged)).toEqual([]);
    await expectAllStored(senders, service);
  });

  it('that wait when the service is told to stop are written and answered', async () => {
    const service = await start();
    const unlock = await postgres.lock('telemetry', 'share');
    const instants = Array.from({ length: 20 }, (_, i) =>
      new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString(),
    );
    const answers = instants.map((instant) => sendReading(service.url, key, tankIds[0] ?? '', instant));
    await waitForLocks(postgres.url, 1, 'ingest');
    service.child.signal('SIGTERM');
    await until('it is stopping', async () =>
      (await service.logLines()).some(({ msg }) => msg === 'stopping'),
    );
    await unlock();

    const outcomes = await Promise.all(answers);
    const taken = instants.filter((_, i) => outcomes[i]?.status === 200);
    expect(await service.child.ended).toEqual({ code: 0, signal: null });
    expect(taken.length).toBeGreaterThan(0);
    const readings = taken.map((instant) => `${tankIds[0]} ${instant}`);
    expect(await lostReadings(postgres.url, readings)).toEqual([]);
  });
});

describe('a key that holds bodies back', () => {
  const BODY_BYTES = 2_000_000;
  const HOLDERS = 64;
  /** Of an eighth of 128 MiB. */
  const ROOM = 8;

  /** All of a large body but its last byte, which never comes. */
  const hold = (serviceUrl: string, holder: string) => {
    const head = `POST /v1/telemetry HTTP/1.1\r\nHost: x\r\nX-API-Key: ${holder}\r\nContent-Type: application/json`;
    const sent = `${head}\r\nContent-Length: ${BODY_BYTES}\r\n\r\n${' '.repeat(BODY_BYTES - 1)}`;
    return new Wire(serviceUrl, sent, { staysOpen: true });
  };

  it('waits past its share and is then refused, while others are taken every time', async () => {
    const service = await start({ ANSWER_TIMEOUT_MS: '8000' });
    const holder = await createKey(postgres.url, { scopes: ['telemetry:write'] });

    const wires = Array.from({ length: HOLDERS }, () => hold(service.url, holder));
    const answers = () => wires.flatMap((wire) => wire.answers);
    const outcomes: Outcome[] = [];
    for (let minute = 0; minute < 100; minute++) {
      const instant = new Date(Date.UTC(2023, 0, 1) + minute * 60_000).toISOString();
      outcomes.push(await sendReading(service.url, key, tankIds[0] ?? '', instant));
    }
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]));
    await until('the rest have waited', () => answers().length === HOLDERS - ROOM);

    for (const { status, headers, body } of answers()) {
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '1' });
      expect(JSON.parse(body)).toMatchObject({ code: 'overloaded' });
    }
    wires.forEach((wire) => wire.reset());
    const large = `{"readings":[]}${' '.repeat(BODY_BYTES)}`;
    await until('its share is free again', async () => {
      const headers = { 'X-API-Key': holder, 'Content-Type': 'application/json' };
      const question = { method: 'POST', path: '/v1/telemetry', headers, body: large };
      return (await ask(service.url, question)).status === 400;
    });
    await expectSound(service);
  });
});
