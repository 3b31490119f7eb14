// The temporary tables that hold a file's good lines until they are merged, filled by COPY while the file is read.
import { from as copyFrom } from 'pg-copy-streams';
import type { ClientBase } from 'pg';
import { finished } from 'node:stream/promises';
import { CUSTOMERS } from '../../customers/dto/customer.input.js';
import type { ImportedKind } from '../../common/pagination/columns.js';
import { TANKS } from '../../tanks/dto/tank.input.js';
import { CREATE_GIVEN_DEVICES } from './warnings.js';
import { StagedRows } from './staged-rows.js';
import { COMMON_COLUMNS, ownColumns } from './write-object.js';
import { READING_COLUMNS } from './write-reading.js';

/** Large enough that the round trip of a COPY does not matter. */
const FLUSH_CHARACTERS = 1 << 19;

export const stagingOf = ({ table }: ImportedKind) => `staged_${table}` as const;

/** Types and collations are those of the real tables, for the joins of the merge. */
const createObjects = (kind: ImportedKind): string => `
  create temp table ${stagingOf(kind)} on commit drop as
  select null::bigint as line, null::boolean as is_short, null::text as source,
         id, created_at, updated_at, deleted, ${ownColumns(kind).join(', ')}
  from ${kind.table} with no data`;

const CREATE_READINGS = `
  create temp table staged_readings on commit drop as
  select null::bigint as line, tanks.id as tank_id, telemetry.created_at, telemetry.fill_percentage
  from telemetry, tanks with no data`;

const CREATE_CHANGED_TANKS = 'create temp table changed_tanks (key bigint) on commit drop';

export type StagedTables = Pick<Staging, 'customers' | 'tanks' | 'readings'>;

const rowsOf = (kind: ImportedKind): StagedRows =>
  new StagedRows(stagingOf(kind), [...COMMON_COLUMNS, ...ownColumns(kind)]);

export class Staging {
  readonly customers = rowsOf(CUSTOMERS);
  readonly tanks = rowsOf(TANKS);
  readonly readings = new StagedRows('staged_readings', READING_COLUMNS);
  private readonly all = [this.customers, this.tanks, this.readings];
  /** A connection runs one COPY at a time; the next lines are read meanwhile. */
  private copying: Promise<void> = Promise.resolve();

  private constructor(private readonly client: ClientBase) {}

  static async create(client: ClientBase): Promise<Staging> {
    const tables = [createObjects(CUSTOMERS), createObjects(TANKS), CREATE_READINGS];
    await client.query([...tables, CREATE_CHANGED_TANKS, CREATE_GIVEN_DEVICES].join(';'));
    return new Staging(client);
  }

  /** Call it often: it waits only while the database is behind. */
  async flushFull(): Promise<void> {
    for (const rows of this.all) if (rows.size >= FLUSH_CHARACTERS) await this.flush(rows);
  }

  /** Flushes and analyzes all tables. */
  async finish(): Promise<void> {
    for (const rows of this.all) if (rows.size > 0) await this.flush(rows);
    await this.copying;
    await this.client.query(`analyze ${this.all.map(({ table }) => table).join(', ')}`);
  }

  private async flush(rows: StagedRows): Promise<void> {
    await this.copying;
    const copy = copyFrom(`copy ${rows.table} (${rows.columns.join(', ')}) from stdin`);
    this.copying = finished(this.client.query(copy).end(rows.take()));
    // The next flush reports a failure; until then it is not an unhandled one.
    this.copying.catch(() => undefined);
  }
}
