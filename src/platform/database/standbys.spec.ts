import { afterEach, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../test/faults/support/until.js';
import { loadConfig } from '../config/config.js';
import { Scheduler } from '../lifecycle/scheduler.js';
import { DatabasePools, type ReadServer } from './database-pools.js';
import { Standbys } from './standbys.js';

/** A server that says how far it has come. */
interface Node {
  isStandby: boolean;
  position: number;
  isAway: boolean;
}

const aNode = (isStandby: boolean): Node => ({ isStandby, position: 100, isAway: false });

let scheduler: Scheduler;
afterEach(() => scheduler.stop());

async function start({ standbys: count = 1, maxLagSeconds = 60 } = {}) {
  const primary = aNode(false);
  const nodes = Array.from({ length: count }, () => aNode(true));
  const config = {
    ...loadConfig({}),
    readUrls: nodes.map((_, i) => `postgres://standby-${i}/tanks`),
    maxReplicationLagSeconds: maxLagSeconds,
  };
  const logger = pino({ level: 'silent' });
  const pools = new DatabasePools('postgres://primary/tanks', config, logger); // which nobody connects
  scheduler = new Scheduler(logger);
  const positionOf = async (server: ReadServer) => {
    const { isAway, ...place } = nodes[pools.standbys.indexOf(server)] ?? primary;
    if (isAway) throw new Error('It does not answer.');
    return { ...place, lastChangeMs: place.isStandby ? 0 : null };
  };
  const standbys = await new Standbys(pools, config, logger, scheduler, positionOf).start();
  return { primary, nodes, standbys };
}

const numbersOf = (standbys: Standbys, turns: number): (number | undefined)[] =>
  Array.from({ length: turns }, () => standbys.next()?.number);

it('those that have what the primary has take turns', async () => {
  const { standbys } = await start({ standbys: 2 });

  const [first, second, ...others] = numbersOf(standbys, 4);
  expect([first, second]).toEqual(expect.arrayContaining([1, 2]));
  expect(others).toEqual([first, second]);
  expect(standbys.report()).toMatchObject([
    { standby: 1, in_use: true },
    { standby: 2, in_use: true },
  ]);
});

it('one that is further behind than it may be is left out until it has caught up', async () => {
  const { primary, nodes, standbys } = await start({ standbys: 2, maxLagSeconds: 1 });
  primary.position = 200;
  for (const node of nodes.slice(1)) node.position = 200;

  await until('only the other is read from', () => numbersOf(standbys, 2).join() === '2,2');
  expect(standbys.report()[0]?.in_use).toBe(false);

  for (const node of nodes) node.position = 200;
  await until('it is back', () => standbys.report()[0]?.in_use === true);
});

it('one that is behind is asked about keys no more, though it may be read from', async () => {
  const { primary, standbys } = await start();
  expect(standbys.nextFresh()?.number).toBe(1);

  primary.position = 200;

  await until('it is not fresh', () => standbys.nextFresh() === undefined);
  expect(standbys.next()?.number).toBe(1);
});

it('one that does not answer is left out', async () => {
  const { nodes, standbys } = await start({ standbys: 2 });

  for (const node of nodes.slice(0, 1)) node.isAway = true;

  await until('it is left out', () => standbys.report()[0]?.in_use === false);
  expect(numbersOf(standbys, 2)).toEqual([2, 2]);
});

it('reads go on from one that is not too old when the primary is a standby itself, and no longer', async () => {
  const { primary, standbys } = await start({ maxLagSeconds: 5 });
  expect(standbys.primaryIsAway).toBe(false);

  primary.isStandby = true;

  await until('the primary is away', () => standbys.primaryIsAway);
  expect(standbys.next()?.number).toBe(1);
  await until('the standby is too old', () => standbys.next() === undefined);

  primary.isStandby = false;
  await until('both are back', () => !standbys.primaryIsAway && standbys.next()?.number === 1);
});
