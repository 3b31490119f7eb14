// How a migrated database becomes a distributed one: steps that each know whether they are done already.
import type { Pool } from 'pg';
import { ofClusterOnly } from '../database/functions.js';

/** Whether this database is one already: the steps make this table with all the rest, in one transaction. */
export const IS_CLUSTER = `select to_regclass('tank_keys') is not null as is_cluster`;

export async function isCluster(database: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await database.query<{ is_cluster: boolean }>(IS_CLUSTER);
  return rows[0]?.is_cluster === true;
}

export interface Step {
  readonly title: string;
  /** An SQL condition. */
  readonly isNeeded: string;
  readonly statements: readonly string[];
}

const isDistributed = (table: string): string =>
  `exists (select from pg_dist_partition where logicalrelid = to_regclass('public.${table}'))`;

/** Triggers are safe here: each only touches rows of its own shard. One connection to each worker, so that a transaction sees its writes. */
export const SETTINGS: Readonly<Record<string, string>> = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.multi_shard_modify_mode': 'sequential',
};

const SESSIONS: readonly Step[] = Object.entries(SETTINGS).map(([name, value]) => ({
  title: `set ${name} = ${value} for every session of this database`,
  isNeeded: `not exists (
    select from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
    where datname = current_database() and setrole = 0 and '${name}=${value}' = any (setconfig))`,
  statements: [
    `do $$ begin execute format('alter database %I set ${name} = ${value}', current_database()); end $$`,
  ],
}));

const LOCK: Step = {
  title: 'wait for those who write, and keep everybody out until all is done',
  isNeeded: `not ${isDistributed('telemetry')}`,
  statements: ['lock table tanks, telemetry, telemetry_counts, tank_states in access exclusive mode'],
};

const functions = (): Step[] =>
  ofClusterOnly().map(({ name, text, hash }) => ({
    title: `install the cluster's form of ${name}()`,
    isNeeded: `not exists (select from installed_functions where name = '${name}' and hash = '${hash}')`,
    statements: [
      text,
      `insert into installed_functions (name, hash) values ('${name}', '${hash}')
         on conflict (name) do update set hash = excluded.hash`,
    ],
  }));

/** A generic plan does not know the tank's node. */
const PLANNED_WITH_VALUES: readonly Step[] = [
  'telemetry_page',
  'telemetry_buckets',
  'falls_of_tank',
  'write_readings',
  'remove_readings',
].map((name) => ({
  title: `let ${name}() be planned with its values`,
  isNeeded: `not exists (
    select from pg_proc
    where pronamespace = 'public'::regnamespace and proname = '${name}' and 'plan_cache_mode=auto' = any (proconfig))`,
  statements: [`alter function ${name} set plan_cache_mode = auto`],
}));

/** The delegated functions call them. */
const NEEDED_EVERYWHERE: readonly string[] = [
  'telemetry_is_partitioned',
  'telemetry_rank',
  'telemetry_locate',
  'buckets_of_readings',
];

/** Run on the node of the tank that is their first argument, in a transaction, too. */
const DELEGATED: readonly string[] = ['telemetry_page_of', 'telemetry_buckets_of'];

/** customers and tanks stay plain tables, with their triggers; so what the counts refer to are copies of the keys alone. */
const TANK_KEYS: Step = {
  title: 'give every node the keys of the tanks, for the counts to refer to',
  isNeeded: `to_regclass('public.tank_keys') is null`,
  statements: [
    `create table tank_keys (key bigint primary key)`,
    `select create_reference_table('tank_keys')`,
    `insert into tank_keys select key from tanks`,
    `create trigger mirror_insert after insert on tanks referencing new table as new_rows
       for each statement execute function mirror_tank_keys()`,
    `create trigger mirror_delete after delete on tanks referencing old table as old_rows
       for each statement execute function mirror_tank_keys()`,
  ],
};

const COORDINATORS_TRIGGERS = [
  'keep_before_insert',
  'keep_insert',
  'keep_update',
  'keep_delete',
  'note_insert',
  'note_update',
  'note_delete',
];

/** They would run on the workers, where there are no states and no notes of changes. */
const NO_STATE_TRIGGERS: Step = {
  title: "leave the tanks' states, and notes of changes, to those who write readings",
  isNeeded: `exists (
    select from pg_trigger
    where tgrelid = 'public.telemetry'::regclass and tgname = any ('{${COORDINATORS_TRIGGERS.join(',')}}'))`,
  statements: COORDINATORS_TRIGGERS.map((name) => `drop trigger if exists ${name} on telemetry`),
};

/** Readings that exist are counted anew, by the triggers, while they are copied to the workers. */
const COUNTS: Step = {
  title: 'spread the counts of readings over the workers, by tank',
  isNeeded: `not ${isDistributed('telemetry_counts')}`,
  statements: [
    `alter table telemetry_counts drop constraint telemetry_counts_tank_key_fkey`,
    `truncate telemetry_counts`,
    `select create_distributed_table('telemetry_counts', 'tank_key')`,
    `alter table telemetry_counts add constraint telemetry_counts_tank_key_fkey
       foreign key (tank_key) references tank_keys (key)`,
  ],
};

const READINGS: Step = {
  title: 'spread the readings over the workers, each beside its counts',
  isNeeded: `not ${isDistributed('telemetry')}`,
  statements: [
    `select create_distributed_table('telemetry', 'tank_key', colocate_with => 'telemetry_counts')`,
  ],
};

/** No two functions share a name, so it needs no parameters, which may change. */
const oidOf = (name: string): string => `to_regproc('public.${name}')::oid`;

const isDistributedFunction = (name: string, condition = 'true'): string => `exists (
  select from pg_catalog.pg_dist_object
  where classid = 'pg_proc'::regclass and objid = ${oidOf(name)} and ${condition})`;

const HELPERS: readonly Step[] = NEEDED_EVERYWHERE.map((name) => ({
  title: `give every node ${name}()`,
  isNeeded: `not ${isDistributedFunction(name)}`,
  statements: [`select create_distributed_function(${oidOf(name)}::regprocedure)`],
}));

const DELEGATION: readonly Step[] = DELEGATED.map((name) => ({
  title: `hand ${name}() to the node that holds the tank`,
  isNeeded: `not ${isDistributedFunction(name, 'force_delegation')}`,
  statements: [
    `select create_distributed_function(
       ${oidOf(name)}::regprocedure, 'tank', colocate_with => 'telemetry', force_delegation => true)`,
  ],
}));

const FREE_DISK: Step = {
  title: "free the disk space of the coordinator's own copy of the readings",
  isNeeded: `pg_relation_size('telemetry') > 0`,
  statements: [`select truncate_local_data_after_distributing_table('telemetry')`],
};

/** In one transaction: all of it, or nothing. */
const steps = (): readonly Step[] => [
  LOCK,
  ...SESSIONS,
  ...functions(),
  ...PLANNED_WITH_VALUES,
  TANK_KEYS,
  NO_STATE_TRIGGERS,
  COUNTS,
  READINGS,
  ...HELPERS,
  ...DELEGATION,
  FREE_DISK,
];

export interface StepOptions {
  /** Called with each step before it is done; with `dryRun`, instead. */
  readonly onStep: (step: Step) => void;
  readonly dryRun?: boolean;
}

/** `query` returns rows. Returns how many steps there were to do. */
export async function takeSteps(
  query: (text: string) => Promise<{ is_needed?: boolean }[]>,
  { onStep, dryRun = false }: StepOptions,
): Promise<number> {
  let taken = 0;
  for (const step of steps()) {
    const [row] = await query(`select ${step.isNeeded} as is_needed`);
    if (row?.is_needed !== true) continue;
    taken += 1;
    onStep(step);
    if (!dryRun) for (const statement of step.statements) await query(statement);
  }
  return taken;
}
