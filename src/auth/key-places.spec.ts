import { expect, it } from '@jest/globals';
import { KeyPlaces } from './key-places.js';

const inside = expect.any(Function);

it('a key has its places, whatever the others have', () => {
  const places = new KeyPlaces({ total: 10, perKey: 2 });
  expect([places.enter('a'), places.enter('a'), places.enter('a')]).toEqual([inside, inside, undefined]);
  expect(places.enter('b')).toEqual(inside);
});

it('all keys together have no more than there are', () => {
  const places = new KeyPlaces({ total: 2, perKey: 2 });
  expect([places.enter('a'), places.enter('b'), places.enter('c')]).toEqual([inside, inside, undefined]);
});

it('a place is free again once it is left, however often that is said', () => {
  const places = new KeyPlaces({ total: 2, perKey: 1 });
  const leave = places.enter('a');
  places.enter('b');
  leave?.();
  leave?.();

  expect(places.enter('a')).toEqual(inside);
  expect([places.enter('a'), places.enter('c')]).toEqual([undefined, undefined]);
});
