// Which databases can be brought up to date: an empty one, one of 3.0 or later, and one of 2.1, whose migrations made the tables that the
// baseline makes. For any other the error says the way out, and nothing is changed.
import type { MigrationExecutor, QueryRunner } from 'typeorm';
import { BASELINE } from '../schema/migrations/index.js';

/** The migrations of 2.1, one a number; there was no number 11. */
const OF_2_1 =
  `Resources CountedLists NearerEndOfTheDay KeyScopes TankStates Events Webhooks Sensors Changes UplinksOfCustomers
  CorrectedProfiles - WritersOfTables RulesOutsideTheSchema UpdatedAtNeverMovesBack DeliveryLines Forecasts EverySensor Mqtt
  WebhookEndpoints Activity Finding`
    .split(/\s+/)
    .flatMap((name, n) => (name === '-' ? [] : `${name}${1_767_225_600_000 + n}`));

/** Of 2.1.0. */
const COMMIT = '7799a83';

const OLDER =
  'This database is of a version before 2.1.0. Bring it to 2.1.0 first: in a clone of the repository, ' +
  `git checkout ${COMMIT} && npm ci && npm run migrate; then migrate it with this version (docs/upgrade.md).`;

/** Neither this version nor one before it has made these tables. */
export class ForeignSchema extends Error {
  constructor(reason: string) {
    super(
      `The released migrations did not make the tables of this database; an unreleased version did, or somebody changed them: ${reason}. ` +
        'Export with the version that made it, migrate an empty database, import there, and create keys anew (docs/upgrade.md).',
    );
  }
}

/**
 * Replaces the migrations of 2.1 by the baseline, and touches no table. Returns the migrations that count as run by it. After a way back to 2.1
 * there are later ones, too.
 */
export async function takeOver(executor: MigrationExecutor, runner: QueryRunner): Promise<string[]> {
  const known = runner.dataSource.migrations.map(({ name = '' }) => name);
  const executed = (await executor.getExecutedMigrations()).map(({ name }) => name);
  const others = executed.filter((name) => !known.includes(name));
  if (others.length > 0 && others.every((name) => OF_2_1.includes(name))) {
    if (others.length < OF_2_1.length) throw new Error(OLDER);
    await runner.query('delete from migrations where name = any ($1)', [OF_2_1]);
    await runner.query('insert into migrations (timestamp, name) values ($1, $2)', [
      BASELINE.slice(-13),
      BASELINE,
    ]);
    return [BASELINE];
  }
  const lacked = known.find((name) => !executed.includes(name));
  if (lacked !== undefined && others.length > 0)
    throw new ForeignSchema(`it lacks ${lacked}, but has ${others.toSorted().join(', ')}`);
  return [];
}
