// Following changes: every one comes, in its order, through lost connections and restarts; an end is an end.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TankMonitoring, type ChangesPage } from 'tank-monitoring-client';
import { Feed } from './support/feed.js';
import { Front } from './support/front.js';

let front: Front;
let feed: Feed;
let tms: TankMonitoring;
let stop: AbortController;

beforeEach(async () => {
  front = await Front.start('http://127.0.0.1:9');
  feed = new Feed();
  front.fate = async (_, seen) => (await feed.answer(seen)) ?? 'lost';
  tms = new TankMonitoring({ url: front.url, key: 'any' });
  stop = new AbortController();
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  stop.abort();
  jest.restoreAllMocks();
  await front.stop();
});

const change = (n: number): object => ({ object: 'change', type: 'tank', id: `t-${n}`, data: {} });

/** Follows until so many changes have come. */
async function follow(count: number, after?: string): Promise<{ ids: string[]; pages: ChangesPage[] }> {
  const ids: string[] = [];
  const pages: ChangesPage[] = [];
  for await (const page of tms.changes.follow({ after, size: 3, signal: stop.signal })) {
    pages.push(page);
    ids.push(...page.data.map(({ id }) => id));
    if (ids.length >= count) break;
  }
  return { ids, pages };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `t-${n}`);

describe('following changes', () => {
  it('gives those that are there, then those that come, without asking in vain', async () => {
    feed.push(...Array.from({ length: 7 }, (_, n) => change(n)));
    const following = follow(9);
    setTimeout(() => feed.push(change(7)), 100);
    setTimeout(() => feed.push(change(8)), 200);
    expect((await following).ids).toEqual(ids(9));
    expect(front.seen.map(({ path }) => path)).toEqual(
      ['wait=25', 'after=3', 'after=6', 'after=7', 'after=8'].map((part) =>
        expect.stringMatching(new RegExp(`[?&]${part}(&|$)`)),
      ),
    );
  });

  it('goes on where it was told to, and from now on with latest', async () => {
    feed.push(change(0), change(1), change(2));
    expect((await follow(1, '2')).ids).toEqual(['t-2']);
    const following = follow(1, 'latest');
    setTimeout(() => feed.push(change(3)), 100);
    const { ids: found, pages } = await following;
    expect(found).toEqual(['t-3']);
    // The first page has none, and a cursor that is worth storing.
    expect(pages[0]).toMatchObject({ data: [], next: '3' });
  });

  it('survives whatever is worth a retry, for longer than other requests do', async () => {
    feed.push(change(0), change(1), change(2), change(3));
    const failures = [
      'lost',
      { status: 503 },
      { status: 429 },
      'lost',
      { status: 502 },
      { status: 408 },
    ] as const;
    front.fate = async (n, seen) => failures[(n % 8) - 1] ?? (await feed.answer(seen)) ?? 'lost';
    expect((await follow(4)).ids).toEqual(ids(4));
    expect(front.seen).toHaveLength(8);
  });

  it('does not ask a service that stops again and again', async () => {
    const following = follow(1);
    const waking = setInterval(() => feed.wake(), 5);
    setTimeout(() => feed.push(change(0)), 300);
    await following;
    clearInterval(waking);
    expect(front.seen.length).toBeLessThan(5);
  });

  it.each([
    [410, 'cursor_expired'],
    [401, 'unexpected_answer'],
  ])('throws on %i', async (status, code) => {
    feed.keptFrom = 5;
    if (status === 401) front.fate = () => ({ status });
    await expect(follow(1, '2')).rejects.toMatchObject({ name: 'ProblemError', status, code });
    expect(front.seen).toHaveLength(1);
  });

  it('ends at once when its signal is aborted, while it waits or tries again', async () => {
    const waiting = follow(1, '0');
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(waiting).rejects.toThrow('enough');
    stop = new AbortController();
    front.fate = () => ({ status: 503, headers: { 'Retry-After': '3600' } });
    const trying = follow(1, '0');
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(trying).rejects.toThrow('enough');
  });
});
