// An upgrade while two instances serve: `migrate`, and the roles, come through beside those who write, and cost callers a wait at most.
import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/schema/migrations/index.js';
import { sqlFiles } from '../../src/platform/schema/sql-files.js';
import { createFleet, createKey } from './support/fleet.js';
import { expectOnly, expectSound } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import type { Outcome } from './support/requests.js';
import { lostReadings, Senders } from './support/senders.js';
import { ServiceProcess } from './support/service-process.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';

const TIMES = 5;

const postgres = await OwnPostgres.start();
await createFleet(postgres.url);
const key = await createKey(postgres.url, { scopes: ['read', 'telemetry:write', 'tanks:write'] });
const tanks = await postgres.query<{ id: string }>('select id from tanks');
const tankIds = tanks.map(({ id }) => id);

/** Changes tables that readings are written to, the last of a writer first, and takes its time between them. */
function pending(number: number): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = `Pending900000000000${number}`;

    async up(runner: QueryRunner): Promise<void> {
      for (const table of ['tank_states', 'telemetry', 'tanks', 'customers']) {
        await runner.query(`alter table ${table} add constraint of_a_test check (true) not valid`);
        await runner.query(`alter table ${table} drop constraint of_a_test`);
        await runner.query('select pg_sleep(0.1)');
      }
    }

    down = (): Promise<void> => Promise.resolve();
  };
}

const changed = Object.fromEntries(Object.entries(sqlFiles()).map(([path, text]) => [path, `${text}\n`]));

/** With a migration to run and every function to replace. */
async function upgrade(times: number): Promise<{ ran: number; replaced: number }> {
  const dataSource = await openDataSource({
    ...operatorOptions(postgres.url),
    migrations: [...migrations, ...Array.from({ length: times }, (_, number) => pending(number))],
  });
  try {
    const files = times % 2 === 1 ? changed : sqlFiles();
    const done = await migrate(dataSource, files);
    return { ran: done.migrations.length, replaced: done.functions.length };
  } finally {
    await dataSource.destroy();
  }
}

/** What least-privilege.sql does when its roles are there. */
const script = await readFile(new URL('../../docs/least-privilege.sql', import.meta.url), 'utf8');
const [rights = ''] = /^ {2}begin;$.*^ {2}commit;$/ms.exec(script) ?? [];
for (const role of ['owner', 'api', 'ingest', 'manage', 'worker'])
  await postgres.query(`create role tanks_${role}`);

/** Clients of one instance: devices that send readings, and somebody who renames tanks. */
class Crowd {
  readonly renamed: Outcome[] = [];
  private readonly senders: Senders;
  private readonly clerk: Promise<void>;
  private isOver = false;

  constructor(private readonly service: ServiceProcess) {
    this.senders = new Senders({ serviceUrl: service.url, key, tankIds, senders: 8 });
    this.clerk = this.rename();
  }

  get outcomes(): Outcome[] {
    return [...this.senders.outcomes, ...this.renamed];
  }

  get acknowledged(): string[] {
    return [...this.senders.acknowledged];
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all([this.clerk, this.senders.stop()]);
  }

  private async rename(): Promise<void> {
    for (let turn = 0; !this.isOver; turn += 1) {
      const path = `/v1/tanks/${tankIds[turn % tankIds.length]}`;
      this.renamed.push(await this.service.send(key, 'PATCH', path, { name: `turn ${turn}` }));
    }
  }
}

it(`migrate and least-privilege.sql come through ${TIMES} times while two instances write, and lose nothing`, async () => {
  const start = () => ServiceProcess.start({ DATABASE_URL: postgres.url });
  const services = [await start(), await start()];
  const crowds = services.map((service) => stage.add(new Crowd(service)));
  const isServed = () => crowds.every(({ outcomes }) => outcomes.some(({ status }) => status === 200));
  await until('both instances write', isServed);

  for (let times = 1; times <= TIMES; times += 1) {
    const upgraded = await upgrade(times);
    expect(upgraded).toMatchObject({ ran: 1, replaced: expect.any(Number) });
    expect(upgraded.replaced).toBeGreaterThan(50);
    await postgres.query(rights); // the first time everything is another's, later all is as it should be
  }
  for (const crowd of crowds) await crowd.stop();

  for (const service of services) await expectSound(service); // shows what failed inside
  const outcomes = crowds.flatMap((crowd) => crowd.outcomes);
  expectOnly([200, 503], outcomes);
  expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThan(100);
  const acknowledged = crowds.flatMap((crowd) => crowd.acknowledged);
  expect(await lostReadings(postgres.url, acknowledged)).toEqual([]);
});
