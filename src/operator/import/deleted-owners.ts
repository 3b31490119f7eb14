// Finds customers that a file deletes although they own tanks, which would stay without a visible owner. Before the merge, so that
// nothing is locked while the operator is asked.
import type { ClientBase } from 'pg';

interface DeletedOwner {
  readonly id: string;
  readonly name: string;
  /** Those that would stay. */
  readonly tanks: number;
}

export interface DeletedOwners {
  readonly customers: number;
  readonly tanks: number;
  readonly first: readonly DeletedOwner[];
}

const SHOWN = 5;

/** The last line about an object counts. */
const DELETED_OWNERS = `
  with last_customer as (
    select distinct on (id) id, is_short or deleted as deletes from staged_customers order by id, line desc
  ), deleting as (
    select customers.id, customers.name from last_customer join customers using (id)
    where deletes and not customers.deleted
  ), last_tank as (
    select distinct on (id) id, owner_id, is_short or deleted as deletes from staged_tanks order by id, line desc
  ), kept_tank as (
    select tanks.owner_id from deleting join tanks on tanks.owner_id = deleting.id
    where not tanks.deleted and not exists (select from last_tank where last_tank.id = tanks.id)
    union all
    select owner_id from last_tank where not deletes
  )
  select deleting.id, deleting.name, count(*)::float8 as tanks,
         (count(*) over ())::float8 as all_customers, (sum(count(*)) over ())::float8 as all_tanks
  from deleting join kept_tank on kept_tank.owner_id = deleting.id
  group by deleting.id, deleting.name order by deleting.id limit ${SHOWN}`;

export async function findDeletedOwners(client: ClientBase): Promise<DeletedOwners | undefined> {
  const { rows } = await client.query<DeletedOwner & { all_customers: number; all_tanks: number }>(
    DELETED_OWNERS,
  );
  const [any] = rows;
  if (any === undefined) return undefined;
  return { customers: any.all_customers, tanks: any.all_tanks, first: rows };
}
