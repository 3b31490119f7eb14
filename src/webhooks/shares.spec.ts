// Who gets how many of the places, as receivers answer, fail and hang.
import { describe, expect, it } from '@jest/globals';
import { PLACES, Shares } from './shares.js';

const roomOf = (shares: Shares, id: string): number => shares.rooms([id])[0]?.places ?? 0;

/** Endpoints with as many lines due as their room, which get what they get; returns who has how many of it. */
function divide(shares: Shares, ids: readonly string[]): Record<string, number> {
  const due = shares.rooms(ids).map(({ endpointId, places }) => ({
    endpointId,
    lines: places,
    since: new Date(ids.indexOf(endpointId)),
  }));
  const given = shares.divide(due);
  for (const { endpointId, places } of given) repeat(places, () => shares.begin(endpointId));
  return Object.fromEntries(given.map(({ endpointId, places }) => [endpointId, places]));
}

const anEndpoint = (id: string, isFailing = false, customerId: string | null = null) => ({
  id,
  customerId,
  isFailing,
});

function repeat(times: number, work: () => void): void {
  for (let i = 0; i < times; i += 1) work();
}

/** Endpoints that have shown that they answer, with the largest share. */
function proven(shares: Shares, ids: readonly string[], others: readonly string[] = []): void {
  shares.update([...ids, ...others].map((id) => anEndpoint(id)));
  for (const id of ids) {
    repeat(5, () => {
      shares.begin(id);
      shares.end(id, true);
    });
  }
}

describe('the share of an endpoint', () => {
  it('grows with what it takes, up to a quarter of all places, and shrinks to one as it fails', () => {
    const shares = new Shares();
    shares.update([anEndpoint('one')]);
    expect(roomOf(shares, 'one')).toBe(4);
    const deliver = (delivered: boolean): void => {
      shares.begin('one');
      shares.end('one', delivered);
    };
    deliver(true);
    expect(roomOf(shares, 'one')).toBe(8);
    repeat(9, () => deliver(true));
    expect(roomOf(shares, 'one')).toBe(32);
    deliver(false);
    expect(roomOf(shares, 'one')).toBe(16);
    repeat(9, () => deliver(false));
    expect(roomOf(shares, 'one')).toBe(1);
  });

  it('is one from the start for an endpoint that is known to fail', () => {
    const shares = new Shares();
    shares.update([anEndpoint('failing', true)]);
    expect(roomOf(shares, 'failing')).toBe(1);
  });

  it('is not filled with the last places, which are for those with few under way', () => {
    const shares = new Shares();
    const ids = ['a', 'b', 'c', 'd'];
    proven(shares, ids, ['quiet']);
    expect(divide(shares, ids)).toEqual({ a: 24, b: 24, c: 24, d: 24 });
    expect(divide(shares, [...ids, 'quiet'])).toEqual({ quiet: 4 });
  });

  it('is filled with the places of those that have fewer first, of equals with what waits longer', () => {
    const shares = new Shares();
    proven(shares, ['busy', 'idle', 'waits-longest']);
    repeat(20, () => shares.begin('busy'));
    repeat(73, () => shares.begin('idle')); // 3 places are for all, and 32 for those with few
    const due = [
      { endpointId: 'busy', lines: 12, since: new Date(1) },
      { endpointId: 'waits-longest', lines: 5, since: new Date(2) },
    ];
    expect(shares.divide(due)).toEqual([{ endpointId: 'waits-longest', places: 4 }]);
  });

  it('of all that have not shown that they answer is half of the places', () => {
    const shares = new Shares();
    const ids = Array.from({ length: 300 }, (_, i) => `hanging-${i}`);
    shares.update(ids.map((id) => anEndpoint(id, true)));
    expect(Object.keys(divide(shares, ids))).toHaveLength(PLACES / 2);
    expect(divide(shares, ids)).toEqual({});
  });

  it('of those that answer comes before that of new ones, and theirs before that of failing ones', () => {
    const shares = new Shares();
    const [ids, news] = [
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      Array.from({ length: 20 }, (_, i) => `new-${i}`),
    ];
    proven(shares, ids, news);
    shares.update([...ids, ...news, 'failing'].map((id) => anEndpoint(id, id === 'failing')));
    const given = divide(shares, ['failing', ...news, ...ids]);
    expect(ids.reduce((sum, id) => sum + (given[id] ?? 0), 0)).toBe(96);
    expect(news.reduce((sum, id) => sum + (given[id] ?? 0), 0)).toBe(16);
    expect(given['failing']).toBeUndefined();
  });

  it('is of the customer first: however many endpoints one has, another is next and finds a place', () => {
    const shares = new Shares();
    const many = Array.from({ length: 100 }, (_, i) => `of-many-${i}`);
    shares.update([...many.map((id) => anEndpoint(id, false, 'many')), anEndpoint('of-one', false, 'one')]);
    for (const id of many) {
      shares.begin(id);
      shares.end(id, true);
    }
    expect(Object.values(divide(shares, many))).toHaveLength(100);
    expect(divide(shares, [...many, 'of-one'])).toMatchObject({ 'of-one': 4 });
    shares.end('of-one', true);
    expect(Object.keys(divide(shares, [...many, 'of-one']))).toEqual(['of-one']);
  });

  it('grows evenly by customer, not by endpoint', () => {
    const shares = new Shares();
    const ids = ['of-one', ...Array.from({ length: 100 }, (_, i) => `of-many-${i}`)];
    shares.update(ids.map((id) => anEndpoint(id, false, id.slice(0, 6))));
    for (const id of ids) {
      repeat(5, () => {
        shares.begin(id);
        shares.end(id, true);
      });
    }
    expect(divide(shares, ids)).toMatchObject({ 'of-one': 32 });
  });
});
