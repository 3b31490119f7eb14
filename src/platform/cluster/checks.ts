// What has to be true before a database is made a distributed one. Everything that is not is reported at once, with what to do.
import type { ClientBase } from 'pg';

/** Earlier versions were not tested. */
const OLDEST_CITUS = 13;

interface Check {
  /** Rows of one column: what is wrong. */
  readonly sql: string;
  readonly advice: string;
}

/** Without one of these, the others cannot be asked. */
const FIRST_CHECKS: readonly Check[] = [
  {
    sql: `select 'the extension Citus is not in this database'
        where not exists (select from pg_extension where extname = 'citus')`,
    advice: `On every node: shared_preload_libraries = 'citus' in postgresql.conf, a restart, and in this database: create extension citus`,
  },
  {
    sql: `select 'this is a worker' from pg_dist_local_group where groupid <> 0`,
    advice: 'Set DATABASE_URL to the coordinator.',
  },
  {
    sql: `select 'this database has no tables of the service yet' where to_regclass('public.migrations') is null`,
    advice: 'Run "npx tank-monitoring migrate" first.',
  },
];

const CHECKS: readonly Check[] = [
  {
    sql: `select 'Citus ' || extversion || ' is too old' from pg_extension
          where extname = 'citus' and split_part(extversion, '.', 1)::integer < ${OLDEST_CITUS}`,
    advice: `Use Citus ${OLDEST_CITUS} or later.`,
  },
  {
    sql: `select 'the coordinator is not registered' where not exists (select from pg_dist_node where groupid = 0)`,
    advice: `On the coordinator: select citus_set_coordinator_host('its name', 5432)`,
  },
  {
    sql: `select 'no worker is registered' where not exists (
            select from pg_dist_node where groupid > 0 and noderole = 'primary' and isactive and shouldhaveshards)`,
    advice: `On the coordinator, for each worker: select citus_add_node('its name', 5432)`,
  },
  {
    sql: `select distinct to_nodename || ':' || to_nodeport || ' cannot be reached from '
            || from_nodename || ':' || from_nodeport
          from citus_check_cluster_node_health() where result is not true`,
    advice:
      'Every node connects to every other one: see pg_hba.conf, ~/.pgpass and citus.node_conninfo of the nodes.',
  },
  {
    sql: `select 'telemetry is partitioned' from pg_class where oid = 'telemetry'::regclass and relkind = 'p'`,
    advice: 'A cluster spreads readings by tank, not by month: undo the partitions first.',
  },
];

/** Of the coordinator and of every worker, once they are known to answer. */
const SETTINGS: Check = {
  sql: `
    with node as (
      select 'the coordinator' as name, current_setting('wal_level') as wal_level,
             current_setting('max_prepared_transactions') as prepared
      union all
      select nodename || ':' || nodeport, split_part(result, ' ', 1), split_part(result, ' ', 2)
      from run_command_on_workers(
             $$select current_setting('wal_level') || ' ' || current_setting('max_prepared_transactions')$$)
      join pg_dist_node using (nodename, nodeport)
    )
    select 'wal_level of ' || name || ' is ' || wal_level from node where wal_level <> 'logical'
    union all
    select 'max_prepared_transactions of ' || name || ' is 0' from node where prepared = '0'`,
  advice: `In postgresql.conf of every node, before a restart: wal_level = logical, and max_prepared_transactions at least max_connections.`,
};

export async function findObstacles(client: ClientBase): Promise<string[]> {
  for (const first of FIRST_CHECKS) {
    const wrong = await run(client, first);
    if (wrong.length > 0) return wrong;
  }
  const wrong: string[] = [];
  for (const check of CHECKS) wrong.push(...(await run(client, check)));
  return wrong.length > 0 ? wrong : run(client, SETTINGS);
}

async function run(client: ClientBase, { sql, advice }: Check): Promise<string[]> {
  const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
  return rows.map(([wrong]) => `${wrong}. ${advice}`);
}
