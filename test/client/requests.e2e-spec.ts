// One request of the client: what is tried again and when, what is not, and what its errors say.
import { describe, expect, it, jest } from '@jest/globals';
import { ConnectionError, ProblemError, TankMonitoring } from 'tank-monitoring-client';
import { until } from '../faults/support/until.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { errorOf, Front, startFronted, type Fate } from './support/front.js';

const { service, sql, front, tms } = await startFronted();
await insertCustomer(sql, { id: 'ours' });
await insertTank(sql, 'ours', { id: 'a', name: 'Boiler house' });

/** Waits that would be random take this part of their bound. */
function jitter(part: number): void {
  jest.spyOn(Math, 'random').mockReturnValue(part);
}

/** The first ones fail like this, the others are answered. */
function failing(times: number, fate: Fate): void {
  front.reset((n) => (n <= times ? fate : 'answered'));
}

/** Until each further request, when the first ones have this fate. */
async function waitsAfter(times: number, fate: Fate): Promise<number[]> {
  failing(times, fate);
  await tms.tanks.get('a');
  return front.seen.slice(1).map(({ at }, i) => at - (front.seen[i]?.at ?? 0));
}

describe('what is worth a retry', () => {
  it.each([
    ['408', { status: 408 }],
    ['429', { status: 429 }],
    ['503', { status: 503 }],
    ["a proxy's 502", { status: 502, body: '<html>Bad Gateway</html>' }],
    ['a lost request', 'lost'],
    ['a lost answer', 'answer lost'],
  ] as const)('is tried again as often as asked for: %s', async (_, fate) => {
    jitter(0);
    failing(3, fate);
    expect(await tms.tanks.get('a', { maxRetries: 3 })).toMatchObject({ id: 'a', name: 'Boiler house' });
    expect(front.seen).toHaveLength(4);

    failing(4, fate);
    expect(await errorOf(tms.tanks.get('a', { maxRetries: 3 }))).toBeInstanceOf(Error);
    expect(front.seen).toHaveLength(4);
  });

  it('is tried again for a minute, and at least three times, unless told how often', async () => {
    jitter(0);
    failing(20, 'lost');
    expect(await tms.tanks.get('a')).toMatchObject({ id: 'a' });

    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const triesOf = async (seconds: number) => {
      let tries = 0;
      const fetch = () => {
        [now, tries] = [now + seconds * 1_000, tries + 1];
        return Promise.reject(new TypeError('fetch failed'));
      };
      const client = new TankMonitoring({ url: front.url, key: service.key, fetch });
      expect(await errorOf(client.tanks.get('a'))).toBeInstanceOf(ConnectionError);
      return tries;
    };
    expect(await triesOf(10)).toBe(7);
    expect(await triesOf(100)).toBe(4);
  });

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 3_000).toUTCString()], // in whole seconds
  ])('waits as long as Retry-After says, in %s', async (_, value) => {
    jitter(0);
    const [wait] = await waitsAfter(1, { status: 503, headers: { 'Retry-After': value() } });
    expect(wait).toBeGreaterThan(900);
  });

  it('waits up to twice as long each time without it', async () => {
    jitter(0.1);
    const waits = await waitsAfter(3, 'lost');
    [300, 600, 1_200].forEach((wait, index) => expect(waits[index]).toBeGreaterThan(wait - 20));
  });

  it.each(['0', '-5', '1.5', 'soon', 'Thu, 01 Jan 2026 00:00:00 GMT'])(
    'waits as without it when Retry-After is no time to come: %s',
    async (value) => {
      jitter(0.1);
      const [wait] = await waitsAfter(1, { status: 503, headers: { 'Retry-After': value } });
      expect(wait).toBeGreaterThan(280);
    },
  );

  it('is reported at once when the wait would be very long, or retries are off', async () => {
    failing(1, { status: 429, headers: { 'Retry-After': '3600' } });
    expect(await errorOf(tms.tanks.get('a'))).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    failing(1, { status: 503 });
    expect(await errorOf(tms.tanks.get('a', { maxRetries: 0 }))).toMatchObject({ status: 503 });
    expect(front.seen).toHaveLength(1);
  });
});

it.each([400, 401, 403, 404, 409, 410, 500])(
  'what is no use to retry is reported at once: %i',
  async (status) => {
    failing(1, { status });
    expect(await errorOf(tms.tanks.get('a'))).toMatchObject({ name: 'ProblemError', status });
    expect(front.seen).toHaveLength(1);
  },
);

describe('a key that is a function', () => {
  it('is asked once, and once more after a 401, however many requests there are', async () => {
    const keys = ['tms_ended.1', 'tms_ended.2', service.key];
    const ask = jest.fn(() => Promise.resolve(keys.shift() ?? 'none'));
    const client = new TankMonitoring({ url: front.url, key: ask, maxRetries: 0 });
    expect(await errorOf(client.tanks.get('a'))).toMatchObject({ status: 401 });
    expect(ask).toHaveBeenCalledTimes(2);
    front.reset();
    const all = await Promise.all([client.tanks.get('a'), client.tanks.get('a'), client.fleet.get()]);
    expect(all).toMatchObject([{ id: 'a' }, { id: 'a' }, { object: 'fleet' }]);
    expect(ask).toHaveBeenCalledTimes(3);
    expect(front.seen).toHaveLength(6);
    await client.tanks.get('a');
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('is asked again by the next request when it fails, or gives what is no key', async () => {
    const answers = [() => Promise.reject(new Error('no vault')), () => 'sec\nret', () => service.key];
    const key = () => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error('asked too often');
      return answer();
    };
    const client = new TankMonitoring({ url: front.url, key });
    expect(await errorOf(client.tanks.get('a'))).toEqual(new Error('no vault'));
    expect(await errorOf(client.tanks.get('a'))).toEqual(new TypeError('This is not a key.'));
    expect(await client.tanks.get('a')).toMatchObject({ id: 'a' });
  });

  it('that takes too long ends with the signal', async () => {
    const client = new TankMonitoring({ url: front.url, key: () => new Promise(() => undefined) });
    const ended = errorOf(client.tanks.get('a', { signal: AbortSignal.timeout(50) }));
    expect(await ended).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a problem', () => {
  it('has all that the service said', async () => {
    const error = await errorOf(tms.tanks.page({ size: 500, page: 0 }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_parameters',
      detail: expect.stringContaining('page, size'),
      errors: [
        { parameter: 'page', detail: expect.any(String) },
        { parameter: 'size', detail: expect.any(String) },
      ],
      requestId: expect.stringMatching(/\S/),
    });
    const { detail, message, errors } = error as ProblemError;
    const reasons = errors.map(({ parameter, detail: reason }) => `- ${parameter}: ${reason}`);
    expect(message).toBe([`${detail} (400 invalid_parameters)`, ...reasons].join('\n'));
  });

  it('says so when somebody else answered', async () => {
    failing(1, { status: 418, headers: { 'X-Request-Id': 'of-the-proxy' }, body: 'I am a teapot' });
    expect(await errorOf(tms.tanks.get('a'))).toMatchObject({
      status: 418,
      code: 'unexpected_answer',
      detail: 'The service answered 418.',
      errors: [],
      requestId: 'of-the-proxy',
    });
    for (const body of ['<html>Sign in to the hotel</html>', 'null', '']) {
      failing(1, { status: 200, body });
      expect(await errorOf(tms.tanks.get('a'))).toMatchObject({ status: 200, code: 'unexpected_answer' });
    }
  });

  it('is a redirect too: the key goes to nobody else', async () => {
    const other = await Front.start(service.url);
    failing(1, { status: 307, headers: { Location: `${other.url}/v1/tanks/a` } });
    expect(await errorOf(tms.tanks.get('a'))).toMatchObject({ status: 307, code: 'unexpected_answer' });
    expect(other.seen).toEqual([]);
    await other.stop();
  });
});

it('no answer is a ConnectionError after timeoutMs, or when nobody listens', async () => {
  front.reset(() => 'held');
  const client = new TankMonitoring({ url: front.url, key: service.key, timeoutMs: 200, maxRetries: 0 });
  const late = await errorOf(client.tanks.get('a'));
  expect(late).toBeInstanceOf(ConnectionError);
  expect(late).toMatchObject({ cause: { name: 'TimeoutError' } });

  const nobody = new TankMonitoring({ url: 'http://127.0.0.1:9', key: service.key, maxRetries: 0 });
  expect(await errorOf(nobody.tanks.get('a'))).toBeInstanceOf(ConnectionError);
});

it('an aborted signal ends a request at once, with its reason', async () => {
  const reason = new Error('enough');
  front.reset(() => 'held');
  const stop = new AbortController();
  const asked = errorOf(tms.tanks.get('a', { signal: stop.signal }));
  await until('it waits for an answer', () => front.seen.length === 1);
  stop.abort(reason);
  expect(await asked).toBe(reason);
  expect(await errorOf(tms.tanks.get('a', { signal: stop.signal }))).toBe(reason);
  expect(front.seen).toHaveLength(1);
});

describe('addresses', () => {
  it.each(['a/b', 'ä ö?#', '100%', '..a', '%2e%2e'])('reach the tank whatever its id: %s', async (id) => {
    await insertTank(sql, 'ours', { id });
    expect(await tms.tanks.get(id)).toMatchObject({ id });
  });

  it.each(['', '.', '..'])('never become another address: %j', async (id) => {
    await expect(tms.tanks.get(id)).rejects.toThrow(TypeError);
    expect(front.seen).toEqual([]);
  });

  it('are never those of another host', async () => {
    const other = await Front.start(service.url);
    const { host } = new URL(other.url);
    for (const path of [`/${other.url}/x`, `//${host}/x`, `///${host}/x`, `/\\\\${host}/x`, `/\\/${host}/x`])
      await errorOf(tms.request({ path, maxRetries: 0 }, (response) => response.text()));
    await expect(tms.request({ path: 'v1/tanks' }, (response) => response.text())).rejects.toThrow(TypeError);
    expect(other.seen).toEqual([]);
    await other.stop();
  });

  it('and keys that cannot be sent are refused, without their secrets', () => {
    for (const options of [
      { url: 'http://user:secret@127.0.0.1', key: 'k' },
      { url: front.url, key: 'sec\nret' },
      { url: front.url, key: undefined as unknown as string },
    ]) {
      expect(() => new TankMonitoring(options)).toThrow(TypeError);
      expect(() => new TankMonitoring(options)).not.toThrow(/sec/);
    }
  });

  it('keep what a proxy has before /v1', async () => {
    const client = new TankMonitoring({ url: `${front.url}/tanks/api`, key: service.key, maxRetries: 0 });
    await errorOf(client.fleet.get());
    expect(front.seen[0]?.path).toBe('/tanks/api/v1/fleet');
  });
});
