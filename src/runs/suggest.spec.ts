// What is chosen for a suggested run, as far as it can be told without a database.
import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SuggestionInput } from './dto/run.input.js';
import { Truck } from './suggest.js';

const tank = (n: number, fill: number) => ({
  tank_id: `t${n}`,
  capacity: 1_000,
  capacity_unit: 'liters' as const,
  latitude: 48 + n / 1_000_000,
  longitude: 16,
  fill_percentage: fill,
  low: true,
  silent: false,
  alert_hour: null,
  empty_hour: null,
  run_id: null,
});

it('tanks nearby are looked for in parts, so that others are answered meanwhile', async () => {
  const truck = new Truck(new SuggestionInput(), 85);
  truck.takeDue([tank(0, 10)]);
  const taken = truck.takeNearby(Array.from({ length: 10_000 }, (_, n) => tank(n + 1, 50)));
  let turns = 0;
  for (let isOver = false; !isOver; turns += 1)
    isOver = await Promise.race([taken.then(() => true), nextTurn(false)]);
  expect(turns).toBeGreaterThan(10);
  expect(truck.chosen).toHaveLength(200);
});
