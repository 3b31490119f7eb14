// Everything a database holds of customers, tanks and readings, to be compared as a whole.
import type { Pool } from 'pg';

export interface Contents {
  readonly customers: unknown[];
  readonly tanks: unknown[];
  readonly telemetry: unknown[];
}

/** Tanks are told by their id: their internal keys may differ from database to database. What is searched follows from the rest. */
export async function contentsOf(sql: Pool): Promise<Contents> {
  const rows = async (statement: string) => (await sql.query<{ row: unknown }>(statement)).rows;
  return {
    customers: await rows(`select to_jsonb(customers) - 'search_text' as row from customers order by id`),
    tanks: await rows(`select to_jsonb(tanks) - 'key' - 'search_text' as row from tanks order by id`),
    telemetry: await rows(`
      select jsonb_build_array(tanks.id, telemetry.created_at, telemetry.fill_percentage) as row
      from telemetry join tanks on tanks.key = telemetry.tank_key
      order by tanks.id, telemetry.created_at`),
  };
}
