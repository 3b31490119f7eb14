// The functions inside the database, one file each: src/*/sql/NAME.sql. `migrate` installs those that differ from the installed ones and
// drops those whose file is gone. A few have a second form, for a cluster, in cluster/sql.
import { createHash } from 'node:crypto';
import type { InstalledFunction } from './installed-function.entity.js';
import { sqlFiles } from './sql-files.js';

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

let known: Record<Form, Map<string, Definition>> | undefined;

function definitions(form: Form): Map<string, Definition> {
  return (known ??= readDefinitions())[form];
}

function readDefinitions(): Record<Form, Map<string, Definition>> {
  const plain = new Map<string, Definition>();
  const ofCluster = new Map<string, Definition>();
  for (const [path, text] of Object.entries(sqlFiles())) {
    const name = path.slice(path.lastIndexOf('/') + 1, -'.sql'.length);
    const hash = createHash('sha256').update(text).digest('hex');
    (path.startsWith('cluster/sql/') ? ofCluster : plain).set(name, { name, text, hash });
  }
  return { 'one machine': plain, cluster: new Map([...plain, ...ofCluster]) };
}

/** Those that only a cluster has, or has in a form of its own. */
export function ofClusterOnly(): Definition[] {
  return [...definitions('cluster').values()].filter(
    ({ name, hash }) => definitions('one machine').get(name)?.hash !== hash,
  );
}

/** In the transaction of the caller. Returns the names of those that were installed or dropped. */
export async function installFunctions(runner: Runner, form: Form = 'one machine'): Promise<string[]> {
  const wanted = definitions(form);
  // One that was dropped, as when a migration is reverted, is not installed.
  const rows = (await runner.query(`
    select name, hash from installed_functions where exists (select from pg_proc where proname = name)`)) as InstalledFunction[];
  const installed = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = [...wanted.values()].filter(({ name, hash }) => installed.get(name) !== hash);
  const gone = [...installed.keys()].filter((name) => !wanted.has(name));
  // Bodies may name tables and functions that come after them.
  await runner.query('set local check_function_bodies = off');
  for (const definition of changed) await install(runner, definition);
  for (const name of gone) {
    await runner.query(`drop function if exists ${name}`);
    await runner.query('delete from installed_functions where name = $1', [name]);
  }
  return [...changed.map(({ name }) => name), ...gone];
}

/** SQLSTATEs: other columns or names of parameters than before, and other types, which make a second function of the name. */
const INCOMPATIBLE = new Set(['42P13', '42725']);

async function install(runner: Runner, { name, text, hash }: Definition): Promise<void> {
  const before = await signaturesOf(runner, name);
  const dropBefore = async (): Promise<void> => {
    for (const signature of before) await runner.query(`drop function ${signature}`);
  };
  await runner.query('savepoint before_function');
  try {
    await runner.query(text);
    if ((await signaturesOf(runner, name)).length > 1) await dropBefore();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && INCOMPATIBLE.has(String(error.code)))) throw error;
    await runner.query('rollback to savepoint before_function');
    await dropBefore();
    await runner.query(text);
  }
  await runner.query(
    `insert into installed_functions (name, hash) values ($1, $2)
     on conflict (name) do update set hash = excluded.hash`,
    [name, hash],
  );
}

async function signaturesOf(runner: Runner, name: string): Promise<string[]> {
  const rows = (await runner.query(
    'select oid::regprocedure::text as signature from pg_proc where pronamespace = current_schema()::regnamespace and proname = $1',
    [name],
  )) as { signature: string }[];
  return rows.map(({ signature }) => signature);
}

export interface OutdatedFunctions {
  readonly missing: string[];
  /** Not as this version defines them, in either form. */
  readonly other: string[];
}

export function findOutdated(installed: readonly InstalledFunction[]): OutdatedFunctions {
  const hashes = new Map(installed.map(({ name, hash }) => [name, hash]));
  const isCurrent = (name: string): boolean =>
    (['one machine', 'cluster'] as const).some(
      (form) => definitions(form).get(name)?.hash === hashes.get(name),
    );
  const names = [...definitions('one machine').keys()];
  return {
    missing: names.filter((name) => !hashes.has(name)),
    other: names.filter((name) => hashes.has(name) && !isCurrent(name)),
  };
}
