import { expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { until } from '../../../test/faults/support/until.js';
import { Scheduler } from './scheduler.js';

const logged: { task: string; msg: string }[] = [];
const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) });

it('a task that fails runs again, is said to fail until it succeeds, and is logged once', async () => {
  const scheduler = new Scheduler(logger);
  let runs = 0;
  let mustFail = true;
  const run = (): Promise<void> => {
    runs += 1;
    return mustFail ? Promise.reject(new Error('the database is away')) : Promise.resolve();
  };

  await scheduler.start({ name: 'failing', everyMs: 1, run });
  await until('it has run often', () => runs > 3);
  expect(scheduler.failing).toEqual({ failing: 1 });
  mustFail = false;
  await until('it succeeds', () => scheduler.failing['failing'] === 0);
  await scheduler.stop();

  expect(logged).toMatchObject([{ task: 'failing', msg: 'background work waits for the database' }]);
});

it('tasks of one lane never run at the same time, others do', async () => {
  const scheduler = new Scheduler(logger);
  const running = new Set<string>();
  const seen: string[] = [];
  const task = (name: string, lane?: string) => ({
    name,
    everyMs: 1,
    ...(lane === undefined ? {} : { lane }),
    run: async () => {
      running.add(name);
      await turn();
      seen.push([...running].toSorted().join(' '));
      running.delete(name);
    },
  });

  for (const one of [task('a', 'lane'), task('b', 'lane'), task('c')]) void scheduler.start(one);
  await until('all have run', () => ['a', 'b', 'c'].every((name) => seen.join(' ').includes(name)));
  await scheduler.stop();

  expect(seen.filter((names) => names.includes('a b'))).toEqual([]);
  expect(seen).toContain('a c');
});

it('a task that rests is woken; stopping tells it, waits for it, and then lets it end', async () => {
  const scheduler = new Scheduler(logger);
  const happened: string[] = [];
  const task = {
    name: 'slow',
    everyMs: 3_600_000,
    run: async (stopped: AbortSignal) => {
      happened.push('begins');
      if (happened.length === 1) return;
      while (!stopped.aborted) await turn();
      happened.push('is told');
    },
    end: () => Promise.resolve(void happened.push('ends')),
  };

  await scheduler.start(task);
  scheduler.wake(task);
  await until('it has begun again', () => happened.length === 2);
  await scheduler.stop();

  expect(happened).toEqual(['begins', 'begins', 'is told', 'ends']);
});
