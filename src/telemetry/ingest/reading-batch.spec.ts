import { expect, it } from '@jest/globals';
import { MAX_FAULTS } from '../../common/validation/fault.js';
import { ReadingBatch } from './reading-batch.js';

it('of the readings that are refused only those are quoted that are shown', () => {
  let quoted = 0;
  const shown = { toJSON: () => `value ${(quoted += 1)}` };
  const good = { tank_id: 'a', created_at: '2026-02-03T12:00:00Z', fill_percentage: 1 };
  const bad = [
    { ...good, tank_id: shown },
    { ...good, device_id: shown, tank_id: null },
    { ...good, created_at: shown },
    { ...good, fill_percentage: shown },
    { ...good, object: shown },
  ];
  const batch = new ReadingBatch(Date.now());
  for (let i = 0; i < 1_000; i += 1) bad.forEach((given) => batch.add(given));

  expect(batch.refused).toBe(5_000);
  expect(batch.errors()).toHaveLength(MAX_FAULTS);
  expect(batch.errors()[0]).toEqual({
    index: 0,
    code: 'invalid_value',
    detail: 'tank_id must be a string: "value 1"',
  });
  expect(quoted).toBe(MAX_FAULTS);
});
