// A database of one's own for each spec file: one that an earlier file of the same process is done with, emptied, which takes a tenth of
// the time that a copy takes; or a copy, where there is none or more than rows was changed.
import { Client } from 'pg';
import { copyTemplate, workerUrls, type TestDatabase } from './database.js';
import { keep } from './kept.js';

/** Migrated and empty. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (workerUrls().length > 0) return copyTemplate();
  const emptied = keep('emptied databases', (): TestDatabase[] => []);
  const database = emptied.pop() ?? (await copyTemplate());
  const asMade = await keep('contents of the template', () => describeContents(database.url));
  const drop = async () => {
    const isAsMade = await restoreContents(database.url, asMade).catch(() => false);
    if (isAsMade) emptied.push(database);
    else await database.drop();
  };
  return { url: database.url, drop };
}

interface Contents {
  /** Of what is no row: tables, columns, functions, triggers, rights, statistics. */
  readonly schema: string;
  readonly tables: readonly { readonly name: string; readonly rows: unknown }[];
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[];
}

const SCHEMA = `
  select concat_ws(' ',
    (select md5(string_agg(concat(oid, relname, relacl), ' ' order by oid)) from pg_class),
    (select md5(string_agg(concat(oid, xmin), ' ' order by oid)) from pg_proc),
    (select md5(string_agg(concat(oid, tgenabled), ' ' order by oid)) from pg_trigger),
    (select count(*) from pg_attribute),
    (select count(*) from pg_constraint),
    (select count(*) from pg_statistic)) as schema`;

const TABLES = `
  select quote_ident(relname) as name
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;

const SEQUENCES = `
  select quote_ident(sequencename) as name, coalesce(last_value, start_value) as last, last_value is not null as "isCalled"
  from pg_sequences`;

function describeContents(url: string): Promise<Contents> {
  return connected(url, async (client) => {
    const tables = [];
    for (const name of await tablesOf(client)) {
      const { rows } = await client.query<{ rows: unknown }>(`select json_agg(t) as rows from ${name} t`);
      tables.push({ name, rows: rows[0]?.rows ?? null });
    }
    const sequences = (await client.query<Contents['sequences'][number]>(SEQUENCES)).rows;
    return { schema: await schemaOf(client), tables, sequences };
  });
}

/** Whether it could be done. */
function restoreContents(url: string, { schema, tables, sequences }: Contents): Promise<boolean> {
  return connected(url, async (client) => {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    if ((await schemaOf(client)) !== schema) return false;
    await client.query(`begin; set local lock_timeout = '10s'; set local session_replication_role = replica`);
    const changed = await client.query<{ name: string }>(
      tables
        .map(
          ({ name, rows }) =>
            `select '${name}' as name where ${rows !== null} or exists (select from ${name})`,
        )
        .join(' union all '),
    );
    await client.query(`truncate ${changed.rows.map(({ name }) => name).join(', ')} cascade`);
    for (const { name, rows } of tables) {
      if (rows === null) continue;
      await client.query(
        `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
        [JSON.stringify(rows)],
      );
    }
    for (const { name, last, isCalled } of sequences) {
      await client.query('select setval($1, $2, $3)', [name, last, isCalled]);
    }
    await client.query('commit');
    return true;
  });
}

async function schemaOf(client: Client): Promise<string> {
  return (await client.query<{ schema: string }>(SCHEMA)).rows[0]?.schema ?? '';
}

async function tablesOf(client: Client): Promise<string[]> {
  return (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
}

async function connected<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
