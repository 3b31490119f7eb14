// Rate limits: off unless configured, counted for each key.
import { describe, expect, it } from '@jest/globals';
import { lockTable } from '../faults/support/own-postgres.js';
import { startService } from '../support/app.js';

const LIMIT = 5;
const WINDOW = 60;
const limited = await startService({ environment: { RATE_LIMIT_REQUESTS: String(LIMIT) } });
const aCaller = async () => limited.agent(await limited.createKey());

const remaining = (headers: Record<string, string>) =>
  Number(/;r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);

describe('a rate limit', () => {
  it('tells its policy and what is left, then answers 429 with the time to wait', async () => {
    const agent = await aCaller();

    for (let left = LIMIT - 1; left >= 0; left--) {
      const { headers } = await agent.get('/v1/tanks').expect(200);
      expect(headers['ratelimit-policy']).toBe(`"default";q=${LIMIT};w=${WINDOW}`);
      expect(headers['ratelimit']).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`));
    }
    const { body, headers } = await agent.get('/v1/tanks').expect(429);

    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(WINDOW);
    expect(body).toMatchObject({
      status: 429,
      code: 'rate_limited',
      detail: `Too many requests; try again in ${seconds} s.`,
    });
    expect(headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
  });

  it('is counted for each key', async () => {
    const [one, other] = [await aCaller(), await aCaller()];
    for (let i = 0; i < LIMIT; i++) await one.get('/v1/tanks').expect(200);

    expect((await one.get('/v1/tanks')).status).toBe(429);
    expect((await other.get('/v1/tanks')).status).toBe(200);
  });

  it('is shared by a key and those that it makes, or that take its place', async () => {
    const key = await limited.createKey({ scopes: ['read', 'keys'] });
    const make = async (
      as: string,
      path = '/v1/keys',
      body: object = { name: 'Child', scopes: ['read', 'keys'] },
    ) => {
      const { body: made } = await limited.agent(as).post(path).send(body).expect(201);
      return (made as { secret: string }).secret;
    };
    const child = await make(key);
    const grandchild = await make(child);
    const rolled = await make(grandchild, `/v1/keys/${key.split('.')[0]}/roll`, {});
    expect(remaining((await limited.agent(rolled).get('/v1/tanks').expect(200)).headers)).toBe(LIMIT - 4);
    await limited.agent(child).get('/v1/tanks').expect(200);
    for (const each of [key, child, grandchild, rolled])
      expect(await limited.status('/v1/tanks', each)).toBe(429);
    expect(await limited.status('/v1/tanks')).toBe(200);
  });

  it('counts failures too, and refuses before it looks at the question', async () => {
    const agent = await aCaller();
    for (let i = 0; i < LIMIT; i++) await agent.get('/v1/tanks?size=0').expect(400);

    expect((await agent.get('/v1/tanks?size=0')).status).toBe(429);
  });

  it('is not spent on a 304', async () => {
    const agent = await aCaller();
    const { headers } = await agent.get('/v1/tanks').expect(200);
    const known = { 'If-None-Match': headers['etag'] ?? '' };
    for (let i = 0; i < 2 * LIMIT; i++) await agent.get('/v1/tanks').set(known).expect(304);

    const after = await agent.get('/v1/tanks').expect(200);

    expect(remaining(after.headers)).toBe(LIMIT - 2);
  });

  it('limits guessing by address', async () => {
    for (let i = 0; i < LIMIT; i++) await limited.agent(`guess-${i}`).get('/v1/tanks').expect(401);

    expect(await limited.status('/v1/tanks', 'guess')).toBe(429);
    expect(await limited.status('/v1/tanks', null)).toBe(429);
    expect(await limited.status('/v1/tanks')).toBe(200);

    // Most of those over the limit are refused without a look into the database, which would have to wait.
    const unlock = await lockTable(limited.database.url, 'api_keys');
    const guesses = Array.from({ length: 60 }, (_, i) => `tms_guess${i}.${'x'.repeat(43)}`);
    const asked = guesses.map((guess) => limited.status('/v1/tanks', guess));
    expect(await Promise.race(asked)).toBe(429);
    await unlock();
    await Promise.all(asked);
  });

  it.each([
    ['', 429],
    ['1', 401],
  ])('is of the address that a trusted proxy tells, and believes nobody else: %j', async (proxies, last) => {
    const environment = { RATE_LIMIT_REQUESTS: String(LIMIT), TRUSTED_PROXIES: proxies };
    const behind = await startService({ database: limited.database, environment });
    const statusFrom = async (address: string) =>
      (await behind.raw({ path: '/v1/tanks', headers: [['X-Forwarded-For', address]] }, null)).status;
    for (let i = 0; i < LIMIT; i += 1) expect(await statusFrom(`192.0.2.${i}`)).toBe(401);

    expect(await statusFrom('192.0.2.99')).toBe(last);
  });

  it('does not touch probes and documentation', async () => {
    for (let i = 0; i < 2 * LIMIT; i++) {
      expect(await limited.status('/health/live', null)).toBe(200);
      expect(await limited.status('/openapi.json', null)).toBe(200);
    }
  });
});
