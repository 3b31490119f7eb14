// What a role may use. Asked before a feature is relied on, so that a missing grant is one clear line instead of many failures.
import type { Statement } from './named-query.js';

export interface Grants {
  readonly role: string;
  /** Those it may not use, or that are not there. */
  readonly lacking: readonly string[];
  /** A standby's sessions, or those of a role with default_transaction_read_only. */
  readonly reads_only: boolean;
}

/** $1 is an array of names: of functions to run, and of tables to write. */
export const GRANTS: Statement = {
  name: 'grants',
  text: `
    select current_user::text as role, current_setting('transaction_read_only') = 'on' as reads_only,
           array(
             select name from unnest($1::text[]) name
             where not exists (
               select from pg_proc
               where proname = name and pg_function_is_visible(oid) and has_function_privilege(oid, 'execute'))
               and not coalesce(has_table_privilege(to_regclass(name), 'update'), false)
           ) as lacking`,
};
