// Who gets how many of the places, as receivers answer, fail and hang.
import { describe, expect, it } from '@jest/globals';
import { PLACES, Shares, STANDINGS } from './shares.js';

const endpoint = (id: string, isFailing = false) => ({ id, isFailing });
const roomOf = (shares: Shares, id: string): number =>
  Math.max(...STANDINGS.map((standing) => shares.turn([id], standing).rooms[0]?.room ?? 0));

function repeat(times: number, work: () => void): void {
  for (let i = 0; i < times; i += 1) work();
}

describe('the share of an endpoint', () => {
  it('grows with what it takes, up to a quarter of all places, and shrinks to one as it fails', () => {
    const shares = new Shares();
    shares.update([endpoint('one')]);
    expect(roomOf(shares, 'one')).toBe(4);
    const deliver = (delivered: boolean): void => {
      shares.begin('one');
      shares.end('one', delivered);
    };
    deliver(true);
    expect(roomOf(shares, 'one')).toBe(8);
    expect(shares.turn(['one'], 'failing').rooms).toEqual([]);
    repeat(9, () => deliver(true));
    expect(roomOf(shares, 'one')).toBe(32);
    deliver(false);
    expect(roomOf(shares, 'one')).toBe(16);
    repeat(9, () => deliver(false));
    expect(roomOf(shares, 'one')).toBe(1);
  });

  it('is one from the start for an endpoint that is known to fail', () => {
    const shares = new Shares();
    shares.update([endpoint('failing', true)]);
    expect(roomOf(shares, 'failing')).toBe(1);
  });

  it('is not filled with the last places, which are for those with few under way', () => {
    const shares = new Shares();
    shares.update([endpoint('one')]);
    expect(shares.turn(['one'], 'answering')).toMatchObject({ most: 128, kept: 32, few: 4 });
    repeat(100, () => shares.begin('one'));
    shares.end('one', true); // it answers
    expect(shares.turn(['one'], 'answering')).toMatchObject({ most: 29, kept: 32, few: 4 });
  });

  it('of all that have not shown that they answer is half of the places', () => {
    const shares = new Shares();
    const ids = Array.from({ length: 300 }, (_, i) => `hanging-${i}`);
    shares.update(ids.map((id) => endpoint(id, true)));
    const { most } = shares.turn(ids, 'failing');
    expect(most).toBe(PLACES / 2);
    for (const id of ids.slice(0, most)) shares.begin(id);
    expect(shares.turn(ids, 'failing').most).toBe(0);
  });
});
