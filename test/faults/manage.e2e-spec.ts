// Customers and tanks while things break: what was answered is stored, whatever is killed; a PUT may be sent again.
import { describe, expect, it } from '@jest/globals';
import { createFleet, createKey } from './support/fleet.js';
import { expectSound, wrongCounts } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const postgres = await OwnPostgres.start();
await createFleet(postgres.url);
const key = await createKey(postgres.url, { scopes: ['customers:write', 'tanks:write'] });
const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };

const start = (environment: Record<string, string> = {}) =>
  ServiceProcess.start({ DATABASE_URL: postgres.url, ...environment });

const put = (url: string, id: string, name = 'n') =>
  ask(url, {
    method: 'PUT',
    path: `/v1/customers/${id}`,
    headers,
    body: JSON.stringify({ email: 'e', name }),
  });

/** Writers that put one new customer after the other until they are stopped; and what they were answered. */
class Writers {
  readonly sent = new Set<string>();
  readonly acknowledged = new Set<string>();
  private isStopped = false;
  private readonly done: Promise<unknown>;

  constructor(url: () => string, prefix: string) {
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !this.isStopped; n += 1) {
        const id = `${prefix}-${writer}-${n}`;
        this.sent.add(id);
        const { status } = await put(url(), id);
        if (status === 201) this.acknowledged.add(id);
      }
    };
    this.done = Promise.all([1, 2, 3, 4].map(write));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.done;
  }
}

/** Sends all again, and returns what is wrong then. */
async function wrongAfterRepeating(writers: Writers, service: ServiceProcess): Promise<unknown[]> {
  const rows = await postgres.query<{ id: string }>('select id from customers');
  const stored = new Set(rows.map(({ id }) => id));
  const wrong: unknown[] = [...writers.acknowledged].filter((id) => !stored.has(id));
  for (const id of writers.sent) {
    const { status } = await put(service.url, id);
    if (status !== (stored.has(id) ? 200 : 201)) wrong.push([id, status]);
  }
  const total = await wrongCounts(postgres.url);
  await expectSound(service);
  return total === 0 ? wrong : [...wrong, `${total} counts`];
}

describe('changes', () => {
  it('that were acknowledged outlive a service that is killed, and the rest can be sent again', async () => {
    let service = stage.add(await start());
    const writers = new Writers(() => service.url, 'killed');
    await until('some are acknowledged', () => writers.acknowledged.size >= 50);
    service.child.signal('SIGKILL');
    await service.child.ended;
    await writers.stop();
    service = stage.add(await start());

    expect(await wrongAfterRepeating(writers, service)).toEqual([]);
  });

  it('that were acknowledged outlive a database that is killed', async () => {
    const service = stage.add(await start());
    const writers = new Writers(() => service.url, 'crashed');
    await until('some are acknowledged', () => writers.acknowledged.size >= 50);
    await postgres.kill();
    await postgres.bringUp();
    const before = writers.acknowledged.size;
    await until('they go on', () => writers.acknowledged.size > before + 20);
    await writers.stop();

    expect(await wrongAfterRepeating(writers, service)).toEqual([]);
  });

  it('wait for a lock, and are told to come again when it is held for too long', async () => {
    const service = stage.add(await start({ ANSWER_TIMEOUT_MS: '1000' }));
    await put(service.url, 'locked');
    const unlock = await postgres.lock('customers', 'share');
    const waiting = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(service.url, 'locked', `${n}`)),
    );
    expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set([503]));
    await unlock();

    expect((await put(service.url, 'locked', 'free')).status).toBe(200);
    await expectSound(service);
  });
});

describe('a body that never ends', () => {
  it('is answered in its time, and others are served meanwhile', async () => {
    const service = stage.add(await start({ ANSWER_TIMEOUT_MS: '1000' }));
    const head = `PUT /v1/customers/slow HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    const bytes = `${head}Content-Length: 1000\r\n\r\n{"email":`;
    const wires = Array.from({ length: 50 }, () => new Wire(service.url, bytes, { staysOpen: true }));
    expect((await put(service.url, 'quick')).status).toBe(201);
    for (const wire of wires)
      expect((await wire.answered(1, 20_000)).map(({ status }) => status)).toEqual([408]);
    await expectSound(service);
  });
});
