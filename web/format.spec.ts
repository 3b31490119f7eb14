// Times, amounts and places in words.
import { describe, expect, it } from '@jest/globals';
import {
  addressLines,
  DAY,
  daysOrHours,
  lasting,
  percent,
  placeOf,
  searchable,
  timeAgo,
  volume,
} from './format.js';

const HOUR = DAY / 24;

it.each([
  [30_000, undefined],
  [-30_000, undefined],
  [90_000, '1 minute ago'],
  [5 * HOUR, '5 hours ago'],
  [3.9 * DAY, '3 days ago'],
  [400 * DAY, '1 year ago'],
  [-2 * HOUR, 'in 2 hours'],
])('%d ms ago is "%s"', (age, told) => {
  expect(timeAgo(age)).toBe(told);
});

it('durations have the unit that tells most', () => {
  expect([lasting(90 * 60_000), lasting(3 * HOUR), lasting(5 * DAY)]).toEqual([
    '90 minutes',
    '3 hours',
    '5 days',
  ]);
  expect([daysOrHours(0.5), daysOrHours(2.5), daysOrHours(12.4)]).toEqual([
    '12 hours',
    '2.5 days',
    '12 days',
  ]);
});

it('amounts are as exact as anybody needs them', () => {
  expect([percent(12.34), volume(99.94, 'liters'), volume(2_700.4, 'gallons')]).toEqual([
    '12.3 %',
    '99.9 L',
    '2,700 gal',
  ]);
});

describe('a place', () => {
  const nowhere = { street: null, street_number: null, district: null, postal_code: null, latitude: null };
  const place = { ...nowhere, longitude: null, city: null, region: 'Bavaria', country: 'Germany' };

  it('is its town, or else its region, and the country', () => {
    expect(placeOf(place)).toBe('Bavaria, Germany');
    expect(placeOf({ ...place, city: 'Ulm' })).toBe('Ulm, Germany');
    expect(placeOf({ ...place, region: null, country: null })).toBeUndefined();
  });

  it('has no empty lines on an envelope', () => {
    const lines = addressLines({ ...place, street: 'Maaskade', street_number: '12A', city: 'Ulm' });
    expect(lines).toEqual(['Maaskade 12A', 'Ulm', 'Bavaria, Germany']);
    expect(addressLines({ ...place, city: 'Bavaria' })).toEqual(['Bavaria', 'Germany']);
  });
});

it('a search has at most five words and a hundred characters', () => {
  expect(searchable(`  a  b c d e f `)).toBe('a b c d e');
  expect(searchable('x'.repeat(200))).toHaveLength(100);
  expect(searchable('70 B3 D5 49 C1 E9 F')).toBe('70B3D549C1E9F');
  expect(searchable('+43 (0) 664 123 45 67')).toBe('+43(0)6641234567');
});
