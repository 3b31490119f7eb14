// How many seats there are, and how many of them one key takes.
import { expect, it } from '@jest/globals';
import { Reflector } from '@nestjs/core';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'pg';
import { loadConfig } from '../../platform/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Admission } from './admission.js';

it('a key alone never has all seats: whoever comes next begins at once', async () => {
  const config = loadConfig({});
  const admission = new Admission(config, new Reflector(), new Metrics(config, new Pool()));
  const begun: string[] = [];
  const work = (key: string): Promise<never> => {
    begun.push(key);
    return new Promise(() => undefined);
  };
  // Those that wait do so in vain.
  const ask = (key: string): void => void admission.run(key, 1, () => work(key)).catch(() => undefined);
  for (let n = 0; n < 100; n += 1) ask('crowd');
  await setImmediate();
  expect(begun).toHaveLength(64);

  ask('other');
  await setImmediate();
  expect(begun.slice(64)).toEqual(['other']);
});
