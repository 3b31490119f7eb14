// Why a database role cannot do the background work: checked before it begins, since it would fail again and again.
import type { Pool } from 'pg';
import { GRANTS, namesOf, rightsOf, type Grants } from '../platform/database/grants.js';

const NEEDED = JSON.stringify(rightsOf('tanks_worker'));

export async function findMissingRights(pool: Pick<Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<Grants>(GRANTS.text, [NEEDED]);
  const [grants] = rows;
  if (grants === undefined || (grants.lacking.length === 0 && !grants.reads_only)) return undefined;
  return grants.lacking.length > 0
    ? `the database role ${grants.role} may not use ${namesOf(grants.lacking)}`
    : `the database role ${grants.role} may only read here`;
}

export const ADVICE =
  'docs/least-privilege.sql, run after migrate, grants tanks_worker the rights it needs: run "worker" as that role, beside services with WORKER=false';
