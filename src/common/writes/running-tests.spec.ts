// Tests that run at once: nobody takes all places.
import { expect, it } from '@jest/globals';
import { WITHOUT_KEY, type Writer } from './recorded-writes.js';
import { RunningTests } from './running-tests.js';

const writer = (id: string, customerId: string | null): Writer => ({
  ...WITHOUT_KEY,
  id,
  customerId,
  requestId: id,
  ifMatch: undefined,
  ifNoneMatch: undefined,
});

it('one key runs two tests at once and one customer four, so that others find room; one that ended makes room', async () => {
  const tests = new RunningTests(7);
  const ends: (() => void)[] = [];
  const run = (id: string, customerId: string | null) =>
    tests.run(writer(id, customerId), () => new Promise<void>((end) => ends.push(end))).catch(String);
  const refused = expect.stringContaining('At most 2 tests of a key, 4 of a customer and 7 in all');

  const first = run('a', 'ours');
  void run('a', 'ours');
  expect(await run('a', 'ours')).toEqual(refused);
  for (const id of ['b', 'c', 'd', 'd', 'e']) void run(id, id < 'd' ? 'ours' : null);
  expect(await run('f', 'ours')).toEqual(refused); // of its customer
  expect(await run('g', 'theirs')).toEqual(refused); // of all
  ends[0]?.();
  await first;
  void run('g', 'theirs');
  expect(ends).toHaveLength(8);
  for (const end of ends) end();
});
