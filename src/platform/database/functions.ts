// The functions inside the database, one file each: src/**/sql/NAME.sql. After all migrations, `migrate` installs those that differ from the
// installed ones. A few have a second form, for a cluster, in platform/cluster/sql. Instances of the version before still run then: a
// function whose file is gone answers them that they have to wait, until a later version drops it.
import { createHash } from 'node:crypto';
import { findCode } from './failures.js';
import type { InstalledFunction } from '../schema/installed-function.entity.js';
import { sqlFiles } from '../schema/sql-files.js';

type Form = 'one machine' | 'cluster';

interface Definition {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/** As TypeORM's QueryRunner: returns the rows themselves. */
interface Runner {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

function definitions(form: Form, files = sqlFiles()): Map<string, Definition> {
  const plain = new Map<string, Definition>();
  const ofCluster = new Map<string, Definition>();
  for (const [path, text] of Object.entries(files)) {
    if (!path.includes('/sql/')) continue; // a migration
    const name = path.slice(path.lastIndexOf('/') + 1, -'.sql'.length);
    const hash = createHash('sha256').update(text).digest('hex');
    (path.startsWith('platform/cluster/sql/') ? ofCluster : plain).set(name, { name, text, hash });
  }
  return form === 'cluster' ? new Map([...plain, ...ofCluster]) : plain;
}

/** Those that only a cluster has, or has in a form of its own. */
export function ofClusterOnly(): Definition[] {
  const plain = definitions('one machine');
  return [...definitions('cluster').values()].filter(({ name, hash }) => plain.get(name)?.hash !== hash);
}

/** In place of the hash of a function that only answers that it is gone. */
const RETIRED = 'retired';

/** In the transaction of the caller. Returns the names of those that were installed or retired. */
export async function installFunctions(runner: Runner, form: Form, files = sqlFiles()): Promise<string[]> {
  const wanted = definitions(form, files);
  // One that was dropped, as when a migration is reverted, is not installed.
  const rows = (await runner.query(`
    select name, hash from installed_functions where exists (select from pg_proc where proname = name)`)) as InstalledFunction[];
  const installed = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = [...wanted.values()].filter(({ name, hash }) => installed.get(name) !== hash);
  const gone = rows.filter(({ name, hash }) => !wanted.has(name) && hash !== RETIRED);
  // Bodies may name tables and functions that come after them.
  await runner.query('set local check_function_bodies = off');
  for (const { name, text, hash } of changed) {
    await install(runner, name, text);
    await note(runner, name, hash);
  }
  for (const { name } of gone) await retire(runner, name);
  return [...changed, ...gone].map(({ name }) => name);
}

/** Those that an earlier version retired: no instance calls them any more. */
export async function dropRetired(runner: Runner): Promise<void> {
  const rows = (await runner.query('select name from installed_functions where hash = $1', [
    RETIRED,
  ])) as InstalledFunction[];
  for (const { name } of rows) await drop(runner, name);
}

async function note(runner: Runner, name: string, hash: string): Promise<void> {
  await runner.query(
    `insert into installed_functions (name, hash) values ($1, $2)
     on conflict (name) do update set hash = excluded.hash`,
    [name, hash],
  );
}

async function drop(runner: Runner, name: string): Promise<void> {
  await runner.query(`drop function if exists ${name}`);
  await runner.query('delete from installed_functions where name = $1', [name]);
}

/** SQLSTATEs: other columns or names of parameters than before, and other types, which make a second function of the name. */
const INCOMPATIBLE = new Set(['42P13', '42725']);

async function install(runner: Runner, name: string, text: string): Promise<void> {
  const before = await existing(runner, name);
  await runner.query('savepoint before_function');
  try {
    await runner.query(text);
    if ((await existing(runner, name)).length === 1) return;
  } catch (error) {
    if (!INCOMPATIBLE.has(findCode(error))) throw error;
  }
  await runner.query('rollback to savepoint before_function');
  for (const { signature } of before) await runner.query(`drop function ${signature}`);
  await runner.query(text);
  for (const old of before) await grantAsBefore(runner, name, old);
}

/**
 * The drop fails while a trigger, an index or a default needs the function. One that is called is replaced where it is, with its grants, since
 * calls under way would fail if it were dropped. The SQLSTATE it raises has always been a 503 with Retry-After.
 */
async function retire(runner: Runner, name: string): Promise<void> {
  const before = await existing(runner, name);
  await runner.query('savepoint before_function');
  await drop(runner, name);
  if (before.every(({ is_trigger: isTrigger }) => isTrigger)) return;
  await runner.query('rollback to savepoint before_function');
  for (const { header } of before) {
    await runner.query(`
      create or replace function ${header} language plpgsql as $$
      begin
        raise 'this function is of an earlier version of the service: replace the instance that calls it' using errcode = '55000';
      end $$`);
  }
  await note(runner, name, RETIRED);
}

interface Existing {
  readonly signature: string;
  /** As it is created, up to what it returns. */
  readonly header: string;
  readonly is_trigger: boolean;
  readonly is_public: boolean;
  readonly grantees: readonly string[];
}

async function existing(runner: Runner, name: string): Promise<Existing[]> {
  return (await runner.query(
    `select oid::regprocedure::text as signature, prorettype = 'trigger'::regtype as is_trigger,
            format('%I(%s) returns %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid)) as header,
            proacl is null or exists (select from aclexplode(proacl) where grantee = 0) as is_public,
            array(select grantee::regrole || case when is_grantable then ' with grant option' else '' end
                  from aclexplode(proacl) where grantee not in (0, proowner)) as grantees
     from pg_proc where pronamespace = current_schema()::regnamespace and proname = $1`,
    [name],
  )) as Existing[];
}

async function grantAsBefore(
  runner: Runner,
  name: string,
  { is_public: isPublic, grantees }: Existing,
): Promise<void> {
  if (!isPublic) await runner.query(`revoke execute on function ${name} from public`);
  for (const grantee of grantees) await runner.query(`grant execute on function ${name} to ${grantee}`);
}

export interface OutdatedFunctions {
  readonly missing: string[];
  /** Not as this version defines them, in either form. */
  readonly other: string[];
}

export function findOutdated(installed: readonly InstalledFunction[]): OutdatedFunctions {
  const hashes = new Map(installed.map(({ name, hash }) => [name, hash]));
  const [plain, ofCluster] = [definitions('one machine'), definitions('cluster')];
  const names = [...plain.keys()];
  return {
    missing: names.filter((name) => !hashes.has(name)),
    other: names.filter(
      (name) =>
        hashes.has(name) && ![plain, ofCluster].some((form) => form.get(name)?.hash === hashes.get(name)),
    ),
  };
}
