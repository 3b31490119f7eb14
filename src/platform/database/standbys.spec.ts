import { afterEach, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../test/faults/support/until.js';
import { ScriptedPostgres } from '../../../test/support/scripted-postgres.js';
import { loadConfig } from '../config/config.js';
import { Scheduler } from '../lifecycle/scheduler.js';
import { DatabasePools } from './database-pools.js';
import { Standbys } from './standbys.js';

/** A server that says how far it has come. */
interface Node {
  isStandby: boolean;
  position: number;
  readonly server: ScriptedPostgres;
}

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startNode(isStandby: boolean): Promise<Node> {
  const place = { isStandby, position: 100 };
  const server = await ScriptedPostgres.start(() => ({ ...place, lastChangeMs: isStandby ? 0 : null }));
  return Object.assign(place, { server });
}

async function start({ standbys: count = 1, maxLagSeconds = 60 } = {}) {
  const primary = await startNode(false);
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(true)));
  const config = {
    ...loadConfig({}),
    readUrls: nodes.map(({ server }) => server.url),
    maxReplicationLagSeconds: maxLagSeconds,
  };
  const logger = pino({ level: 'silent' });
  const pools = new DatabasePools(primary.server.url, config, logger);
  const scheduler = new Scheduler(logger);
  const standbys = await new Standbys(pools, config, logger, scheduler).start();
  ends.push(
    () => scheduler.stop(),
    () => pools.onApplicationShutdown(),
    ...[primary, ...nodes].map((node) => () => node.server.stop()),
  );
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

  await until('the first is left out', () => standbys.report()[0]?.in_use === false);
  expect(numbersOf(standbys, 2)).toEqual([2, 2]);

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

  await nodes[0]?.server.stop();

  await until('it is left out', () => standbys.report()[0]?.in_use === false);
  expect(numbersOf(standbys, 2)).toEqual([2, 2]);
});

it('reads go on from one that is not too old when the primary is a standby itself, and no longer', async () => {
  const { primary, standbys } = await start({ maxLagSeconds: 2 });
  expect(standbys.primaryIsAway).toBe(false);

  primary.isStandby = true;

  await until('the primary is away', () => standbys.primaryIsAway);
  expect(standbys.next()?.number).toBe(1);
  await until('the standby is too old', () => standbys.next() === undefined);

  primary.isStandby = false;
  await until('both are back', () => !standbys.primaryIsAway && standbys.next()?.number === 1);
});
