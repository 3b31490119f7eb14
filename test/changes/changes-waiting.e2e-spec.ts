// GET /v1/changes?wait=…: an answer as soon as there is something to give, and waiting costs next to nothing.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { insertFleetOf } from '../support/builders.js';
import { problem } from '../support/problems.js';
import { placeChanges, type ChangesPage } from '../support/replica.js';

const lines: { route?: string; status?: number; duration_ms?: number }[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
/** One connection to the database, less time for an answer than anybody waits here, and few who may. */
const service = await startService({
  environment: { DATABASE_POOL_SIZE: '1', LOG_LEVEL: 'info' },
  adjust: (config) => ({
    ...config,
    limits: { ...config.limits, answerTimeoutMs: 5_000, maxWaitingForChanges: 16 },
  }),
  logger,
});
const { sql, key } = service;
const agent = new Agent({ keepAlive: true });

interface Answer {
  readonly status: number;
  readonly body: ChangesPage;
  readonly tookMs: number;
}

/** Also gives the way to leave before the answer. */
function ask(query: string, as = key): { answer: Promise<Answer>; leave: () => void } {
  const started = performance.now();
  const asked = httpGet(`${service.url}/v1/changes${query}`, { agent, headers: { 'X-API-Key': as } });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve);
    asked.on('error', reject);
  }).then(async (response) => ({
    status: response.statusCode ?? 0,
    body: JSON.parse(await text(response)) as ChangesPage,
    tookMs: performance.now() - started,
  }));
  answer.catch(() => undefined);
  return { answer, leave: () => asked.destroy() };
}

const latest = async (): Promise<string> => (await ask('?after=latest').answer).body.next;
const rename = (id: string) => sql.query('update tanks set name = name || $2 where id = $1', [id, '.']);
const isAnswered = (answer: Promise<unknown>): Promise<boolean> =>
  Promise.race([answer.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 600, false))]);

beforeEach(async () => {
  await insertFleetOf(sql, { ours: ['a'], theirs: ['c'] });
  await placeChanges(sql);
});

describe('who waits', () => {
  it('is answered with the next change, and with one that is there at once', async () => {
    const after = await latest();
    const { answer } = ask(`?after=${after}&wait=25`);
    expect(await isAnswered(answer)).toBe(false);
    await rename('a');
    await placeChanges(sql);
    const { status, body } = await answer;
    expect({ status, ids: body.data.map(({ id }) => id) }).toEqual({ status: 200, ids: ['a'] });
    expect((await ask(`?after=${after}&wait=25`).answer).body).toEqual(body);
  });

  it('gets an ordinary empty answer when the time is over, which is not too long for an answer', async () => {
    const after = await latest();
    const { status, body, tookMs } = await ask(`?after=${after}&wait=6`).answer;
    expect({ status, body }).toEqual({
      status: 200,
      body: { object: 'changes', data: [], next: after, has_more: false },
    });
    expect(tookMs).toBeGreaterThan(5_900);
    const line = lines.findLast(({ route }) => route === '/v1/changes');
    expect(line).toMatchObject({ status: 200 });
    expect(line?.duration_ms).toBeLessThan(5_000);
  });

  it('is not woken by what it does not see, or has not asked for, and goes on after it', async () => {
    const bound = await service.createKey({ customerId: 'ours' });
    const after = await latest();
    const ofOurs = ask(`?after=${after}&wait=3`, bound).answer;
    const ofEvents = ask(`?after=${after}&wait=3&types=event,customer`).answer;
    await rename('c');
    await placeChanges(sql);
    const next = await latest();
    for (const { status, body, tookMs } of await Promise.all([ofOurs, ofEvents])) {
      expect(tookMs).toBeGreaterThan(2_900);
      expect({ status, body }).toMatchObject({ status: 200, body: { data: [], next, has_more: false } });
    }
  });

  it('is woken by a tank that arrives, and by one that leaves', async () => {
    const [ours, theirs] = [
      await service.createKey({ customerId: 'ours' }),
      await service.createKey({ customerId: 'theirs' }),
    ];
    const after = await latest();
    const types = 'types=tank,telemetry';
    const answers = [ours, theirs].map((as) => ask(`?after=${after}&wait=25&${types}`, as).answer);
    await isAnswered(Promise.race(answers));
    await sql.query(`update tanks set owner_id = 'theirs' where id = 'a'`);
    await placeChanges(sql);
    const [left, arrived] = await Promise.all(answers);
    expect(left?.body.data).toMatchObject([{ type: 'tank', id: 'a', data: { deleted: true } }]);
    expect(arrived?.body.data).toMatchObject([
      { type: 'tank', id: 'a', data: { owner_id: 'theirs' } },
      { type: 'telemetry', id: 'a' },
    ]);
  });

  it.each([
    [
      'its time was lost, though positions go on',
      `update change_feed set placed_at = placed_at - interval '1 minute'
       where position = (select max(position) from change_feed)`,
    ],
    ['rows were written past the triggers', 'select restart_changes()'],
  ])('learns at once that its cursor has expired: %s', async (_, statement) => {
    await rename('a');
    await placeChanges(sql);
    const { answer } = ask(`?after=${await latest()}&wait=25&types=event`);
    expect(await isAnswered(answer)).toBe(false);
    await sql.query(statement);
    await rename('a');
    await placeChanges(sql);
    expect(await answer).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
  });

  it('with a key that ended meanwhile gets a 401', async () => {
    const short = await service.createKey({ customerId: 'theirs' });
    const after = await latest();
    await ask('?after=latest', short).answer; // so that it is known, and believed for longer than it takes
    const { answer } = ask(`?after=${after}&wait=2`, short);
    await sql.query('update api_keys set revoked_at = now() where prefix = $1', [short.slice(0, 12)]);
    expect(await answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
  });

  it('with a key that was bound to a customer meanwhile gets what that customer may see', async () => {
    const wide = await service.createKey();
    const { answer } = ask(`?after=${await latest()}&wait=25`, wide);
    expect(await isAnswered(answer)).toBe(false);
    await sql.query(`update api_keys set customer_id = 'ours' where prefix = $1`, [wide.slice(0, 12)]);
    await rename('c');
    await placeChanges(sql);
    expect(await isAnswered(answer)).toBe(false);
    await rename('a');
    await placeChanges(sql);
    expect((await answer).body.data.map(({ id }) => id)).toEqual(['a']);
  });

  it('holds no connection; as many may as are let in, an eighth with one key, and whoever leaves makes room', async () => {
    const after = await latest();
    const wait = (as: string) => ask(`?after=${after}&wait=25`, as);
    const [greedy = '', last = '', ...others] = await Promise.all(
      Array.from({ length: 9 }, () => service.createKey()),
    );
    const ofGreedy = [1, 2, 3].map(() => wait(greedy));
    expect(await Promise.race(ofGreedy.map(({ answer }) => answer))).toMatchObject({ status: 503 });
    const asked = [...ofGreedy, ...others.flatMap((as) => [wait(as), wait(as)]), wait(last)];
    const refused = new Set<(typeof asked)[number]>();
    for (const one of asked) void one.answer.then(() => refused.add(one), String); // one leaves later
    await until('as many wait as may', () => refused.size === 2);
    const waiting = asked.filter((one) => !refused.has(one));
    const { status, body } = await wait(last).answer;
    expect({ status, body }).toEqual({
      status: 503,
      body: problem(
        503,
        'overloaded',
        'As many requests wait for changes here, in all or with this key, as may; ask without waiting, or try again shortly.',
      ),
    });
    expect((await ask(`?after=${after}&wait=0`).answer).status).toBe(200);
    await service.api.get('/v1/tanks/a').expect(200);

    waiting[0]?.leave();
    await until('there is room again', async () => {
      const { answer, leave } = wait(last);
      const isRefused = await isAnswered(answer);
      leave();
      return !isRefused;
    });
    await rename('a');
    await placeChanges(sql);
    const answers = await Promise.all(waiting.slice(1).map(({ answer }) => answer));
    expect(new Set(answers.map((one) => JSON.stringify([one.status, one.body]))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { data: [{ id: 'a' }] } });
  });
});
