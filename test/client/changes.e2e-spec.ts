// Following changes: every one comes, in its order, through lost connections and a service that stops; an end is an end.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TankMonitoring, type ChangesPage, type FollowOptions } from 'tank-monitoring-client';
import { until } from '../faults/support/until.js';
import { insertFleetOf } from '../support/builders.js';
import { placeChanges } from '../support/replica.js';
import { startFronted, type Fate } from './support/front.js';

const TANKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
/** Much less than an answer waits for the next change. */
const AT_ONCE_MS = 10_000;

const { sql, front, key, tms: client } = await startFronted();
let tms = client;
let stop: AbortController;
/** Where the feed is when a test begins. */
let start: string;

beforeEach(async () => {
  await insertFleetOf(sql, { ours: TANKS });
  await placeChanges(sql);
  tms = client;
  start = (await tms.changes.list({ after: 'latest' })).next;
  front.reset();
  stop = new AbortController();
  jest.spyOn(Math, 'random').mockReturnValue(0); // retries at once
});
afterEach(() => stop.abort());

async function rename(...ids: readonly string[]): Promise<void> {
  for (const id of ids) await sql.query(`update tanks set name = name || '.' where id = $1`, [id]);
  await placeChanges(sql);
}

/** Follows until so many changes have come; `onPage` is what happens meanwhile. */
async function follow(
  count: number,
  options: FollowOptions,
  onPage: (ids: readonly string[]) => Promise<void> = async () => undefined,
): Promise<{ ids: string[]; pages: ChangesPage[] }> {
  const ids: string[] = [];
  const pages: ChangesPage[] = [];
  for await (const page of tms.changes.follow({ signal: stop.signal, ...options })) {
    pages.push(page);
    ids.push(...page.data.map(({ id }) => id));
    if (ids.length >= count) break;
    void onPage([...ids]);
  }
  return { ids, pages };
}

const cursors = (): (string | null)[] =>
  front.seen.map(({ path }) => new URL(path, front.url).searchParams.get('after'));

describe('following changes', () => {
  it('gives those that are there, then those that come, without asking in vain', async () => {
    await rename(...TANKS);
    const { ids, pages } = await follow(9, { after: start, size: 3 }, async (seen) => {
      if (seen.length === 7) await rename('b');
      if (seen.length === 8) await rename('a');
    });
    expect(ids).toEqual([...TANKS, 'b', 'a']);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1, 1, 1]);
    expect(cursors()).toEqual([start, ...pages.slice(0, -1).map(({ next }) => next)]);
  });

  it('goes on where it is asked to, from now on with latest, and from the oldest without', async () => {
    await rename('a', 'b', 'c');
    const { pages } = await follow(2, { after: start, size: 2 });
    expect((await follow(1, { after: pages.at(-1)?.next })).ids).toEqual(['c']);

    const latest = await follow(1, { after: 'latest' }, () => rename('d'));
    expect(latest.ids).toEqual(['d']);
    // The first page has none, and a cursor that is worth storing.
    expect(latest.pages[0]).toMatchObject({ data: [], next: expect.any(String) });

    expect((await follow(1, {})).ids).toContain('ours');
  });

  it('survives whatever is worth a retry, for longer than other requests do', async () => {
    await rename('a', 'b', 'c', 'd');
    const failures: readonly Fate[] = [
      'lost',
      { status: 503, headers: { 'Retry-After': '0' } },
      { status: 429, headers: { 'Retry-After': '0' } },
      'answer lost',
      { status: 502 },
      { status: 408 },
    ];
    front.fate = (n) => failures[(n % 8) - 1] ?? 'answered';
    expect((await follow(4, { after: start, size: 3 })).ids).toEqual(['a', 'b', 'c', 'd']);
    expect(front.seen).toHaveLength(8);
  });

  it('waits as long as it may at a time, and no longer than the service does', async () => {
    for (const [maxWaitSeconds, wait] of [
      [3.9, '3'],
      [600, '25'],
    ] as const) {
      front.reset();
      await rename('a');
      await follow(1, { after: start, maxWaitSeconds });
      expect(new URL(front.seen[0]?.path ?? '', front.url).searchParams.get('wait')).toBe(wait);
    }
    await expect(follow(1, { maxWaitSeconds: -1 })).rejects.toThrow(TypeError);
  });

  it('does not ask a service that is about to stop again and again', async () => {
    // As it answers then: nothing, and at once.
    const body = JSON.stringify({ object: 'changes', data: [], next: start, has_more: false });
    front.fate = (n) => (n === 1 ? { status: 200, body } : 'answered');
    await rename('a');
    expect((await follow(1, { after: start })).ids).toEqual(['a']);
    const [first, second] = front.seen.map(({ at }) => at) as [number, number];
    expect(second - first).toBeGreaterThan(900);
  });

  it('waits for changes longer than an answer may take', async () => {
    tms = new TankMonitoring({ url: front.url, key, timeoutMs: 500, maxRetries: 0 });
    const following = follow(1, { after: start, maxRetries: 0 });
    setTimeout(() => void rename('a'), 1_500);
    expect((await following).ids).toEqual(['a']);
    expect(front.seen).toHaveLength(1);
  });
});

describe('the end of following', () => {
  it('is a 410, at once, when the cursor is no longer good', async () => {
    const following = follow(1, { after: start });
    await until('it waits', () => front.open === 1);
    await sql.query('select restart_changes()');
    await rename('a');
    const expired = { name: 'ProblemError', status: 410, code: 'cursor_expired' };
    await expect(following).rejects.toMatchObject(expired);
    await expect(follow(1, { after: start })).rejects.toMatchObject(expired);
    expect(front.seen).toHaveLength(2);

    // The way on: latest, the lists, follow.
    const { next } = await tms.changes.list({ after: 'latest' });
    await rename('b');
    expect((await follow(1, { after: next })).ids).toEqual(['b']);
  });

  it.each([
    ['waits for a change', 'answered', 1],
    ['waits to try again', { status: 503, headers: { 'Retry-After': '60' } }, 0],
  ] as const)('is the abort of its signal while it %s', async (_, fate, open) => {
    front.fate = () => fate;
    const following = follow(1, { after: start });
    await until('it waits', () => front.seen.length === 1 && front.open === open);
    const abortedAt = performance.now();
    stop.abort(new Error('enough'));
    await expect(following).rejects.toThrow('enough');
    expect(performance.now() - abortedAt).toBeLessThan(AT_ONCE_MS);
    await until('no request is left', () => front.open === 0);
    expect(front.seen).toHaveLength(1);
  });
});
