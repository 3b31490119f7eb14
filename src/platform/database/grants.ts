// What a role may use. Asked before a feature is relied on, so that a missing grant is one clear line instead of many failures. What each
// role needs is read from docs/least-privilege.sql, so that no second list has to be kept.
import { leastPrivilege } from '../schema/sql-files.js';
import type { Statement } from './named-query.js';

export interface Right {
  /** The name that PostgreSQL gives it: select, update, execute. */
  readonly privilege: string;
  readonly name: string;
  /** Null: the whole table, or a function. */
  readonly columns: readonly string[] | null;
}

export interface Grants {
  readonly role: string;
  /** The rights that the role does not have, or whose table or function is not there. */
  readonly lacking: readonly Right[];
  /** A standby's sessions, or those of a role with default_transaction_read_only. */
  readonly reads_only: boolean;
}

/** $1: rights, in JSON. */
export const GRANTS: Statement = {
  name: 'grants',
  text: `
    select current_user::text as role, current_setting('transaction_read_only') = 'on' as reads_only,
           coalesce(json_agg(needed) filter (where not case
             when privilege = 'execute' then exists (
               select from pg_proc
               where proname = name and pg_function_is_visible(oid) and has_function_privilege(oid, 'execute'))
             when columns is null then coalesce(has_table_privilege(to_regclass(name), privilege), false)
             else cardinality(columns) = (
               select count(*) from pg_attribute
               where attrelid = to_regclass(name) and attname = any (columns) and has_column_privilege(attrelid, attnum, privilege))
           end), '[]') as lacking
    from json_to_recordset($1::json) needed (privilege text, name text, columns text[])`,
};

/** Statements such as: grant select, update (a, b) on x, y to tanks_api, tanks_worker; */
export function rightsOf(role: string): Right[] {
  const script = leastPrivilege().replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ');
  return script.split(';').flatMap((statement) => {
    const [grant = '', roles = ''] = statement.trim().split(' to ');
    const [privileges = '', objects = ''] = grant.split(' on ');
    if (!grant.startsWith('grant ') || !listed(roles).includes(role) || /^(database|schema) /.test(objects))
      return [];
    const names = listed(objects.replace(/^function /, ''));
    return Array.from(privileges.slice('grant '.length).matchAll(/(\w+)(?: \(([^)]+)\))?/g)).flatMap(
      ([, privilege = '', columns]) =>
        names.map((name) => ({ privilege, name, columns: columns === undefined ? null : listed(columns) })),
    );
  });
}

function listed(names: string): string[] {
  return names.split(',').map((name) => name.trim());
}

/** Each once, in the order of the script. */
export function namesOf(rights: readonly Right[]): string {
  return [...new Set(rights.map(({ name }) => name))].join(', ');
}
