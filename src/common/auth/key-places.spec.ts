import { expect, it } from '@jest/globals';
import { KeyPlaces } from './key-places.js';

it('a key has so many places at most, and others still get theirs', () => {
  const places = new KeyPlaces({ total: 3, perKey: 2 });
  const [first] = [places.enter('greedy'), places.enter('greedy')];

  expect(places.enter('greedy')).toBeUndefined();
  expect(places.enter('other')).toBeDefined();
  expect(places.enter('third')).toBeUndefined(); // all are taken

  first?.();
  expect(places.enter('third')).toBeDefined();
});

it('a place is given back once', () => {
  const places = new KeyPlaces({ total: 2, perKey: 1 });
  const leave = places.enter('a');
  places.enter('b');
  leave?.();
  leave?.();

  expect(places.enter('c')).toBeDefined();
  expect(places.enter('d')).toBeUndefined();
});
