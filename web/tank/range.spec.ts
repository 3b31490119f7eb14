// The time whose readings are shown: a span up to now, or days, both included.
import { expect, it } from '@jest/globals';
import { DAY } from '../format.js';
import { boundsOf, datesOf, rangeIn, SPANS } from './range.js';

it('is a known span, own days in their order, or 30 days', () => {
  expect(rangeIn('', '', '1y')).toEqual({ span: '1y' });
  expect(rangeIn('2026-01-01', '2026-01-01', '1y')).toEqual({ from: '2026-01-01', to: '2026-01-01' });
  expect(rangeIn('2026-01-02', '2026-01-01', undefined)).toEqual({ span: '30d' });
  expect(rangeIn('2026-01-02', '', 'ever')).toEqual({ span: '30d' });
});

it('of days goes from the first moment of the first to the last of the last', () => {
  const bounds = boundsOf({ from: '2026-01-30', to: '2026-02-01' });
  expect(bounds).toEqual({
    created_at_gte: new Date(2026, 0, 30).toISOString(),
    created_at_lte: new Date(new Date(2026, 1, 2).getTime() - 1).toISOString(),
  });
});

it('up to now is as long as it says, ends at most a step ahead, and stays the same within a step', () => {
  for (const [span, { length, step }] of Object.entries(SPANS)) {
    const range = { span: span as keyof typeof SPANS };
    const { created_at_gte: from, created_at_lte: to } = boundsOf(range);
    expect(Date.parse(to) - Date.parse(from)).toBe(length);
    expect(Date.parse(to) % step).toBe(0);
    expect(Date.parse(to) - Date.now()).toBeLessThanOrEqual(step);
    expect(Date.parse(datesOf(range).to)).toBeLessThanOrEqual(Date.now() + DAY);
  }
});
