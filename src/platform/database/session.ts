// What a session really has. PostgreSQL gives a session the settings it asks for when it connects; a pooler in between may drop
// them, or give the session to another client after each transaction. So each new connection is asked once before it is used; on
// a connection to PostgreSQL itself that is all.
import { Client, type ClientBase, type ClientConfig } from 'pg';
import type { Logger } from '../logging/logger.js';
import { findCode, UnfitSession } from './failures.js';

/** Rows are read as text, so every session needs these. */
export const LANGUAGE: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  client_encoding: 'UTF8',
};

type Pooling = 'session' | 'transaction' | 'transaction without prepared statements';

const SET = 'select set_config(key, value, false) from json_each_text($1)';

interface Setting {
  readonly name: string;
  readonly value: string;
}

/** In the units that settings are asked for in. UTC is also called Etc/UTC. */
const LACKING = `
  select key as name, value from json_each_text($1) join pg_settings on pg_settings.name = key
  where replace(setting, 'Etc/', '') <> value`;

/** Named, to see whether a pooler follows prepared statements, too. */
const WHO = { name: 'tank_monitoring_who', text: 'select pg_backend_pid() as pid' };
/** SQLSTATE: a statement was prepared in this session by another, or this one's was prepared in another session. */
const NOT_TRACKED = /^(42P05|26000)$/;

const SEE = '(see "Pooler" in docs/database.md)';

/** The sessions of one pool. */
export class Sessions {
  private pooling: Promise<Pooling> | undefined;
  private hasWarned = false;

  constructor(
    /** Asked for in `options`, the language among them. */
    private readonly settings: Readonly<Record<string, string>>,
    /** For another connection like those of the pool. */
    private readonly connection: ClientConfig,
    private readonly logger: Logger | undefined,
  ) {}

  /** For a connection that was just made; rejects when it must not be used. */
  async check(client: ClientBase): Promise<void> {
    const wanted = JSON.stringify(this.settings);
    const { rows: lacking } = await client.query<Setting>(LACKING, [wanted]);
    if (lacking.length === 0) return;
    switch (await this.findPooling(client)) {
      case 'session':
        await client.query(SET, [wanted]);
        return;
      case 'transaction':
        // A setting would stay with the session, and go to whoever has it next.
        if (lacking.some(({ name }) => name in LANGUAGE)) throw new UnfitSession(misunderstood(lacking));
        return this.warnOfLacking(lacking);
      case 'transaction without prepared statements':
        this.pooling = undefined; // it may be configured meanwhile
        throw new UnfitSession(
          `The pooler gives each transaction another session and does not follow prepared statements: set max_prepared_statements = 200 (PgBouncer 1.21 or later) or pool_mode = session ${SEE}.`,
        );
    }
  }

  private findPooling(client: ClientBase): Promise<Pooling> {
    // Once: a pooler keeps its mode while it runs.
    this.pooling ??= findPooling(client, this.connection).catch((error: unknown) => {
      this.pooling = undefined; // the next connection finds it out
      throw error;
    });
    return this.pooling;
  }

  private warnOfLacking(lacking: readonly Setting[]): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger?.warn(
      { commands: lacking.map(commandFor) },
      `sessions through the pooler lack settings of the service: give them to its role ${SEE}`,
    );
  }
}

function commandFor({ name, value }: Setting): string {
  return `alter role … set ${name} = '${value}';`;
}

function misunderstood(lacking: readonly Setting[]): string {
  return `Times would be wrong: sessions through the pooler lack settings of the service. Run: ${lacking.map(commandFor).join(' ')} ${SEE}`;
}

/** While another connection is in a transaction, it holds the session that this one had, unless each has one of its own. */
async function findPooling(client: ClientBase, connection: ClientConfig): Promise<Pooling> {
  const other = new Client(connection);
  other.on('error', () => undefined); // whatever it was busy with fails by itself
  await other.connect();
  try {
    const before = await client.query<{ pid: number }>(WHO);
    await other.query('begin');
    const others = await other.query<{ pid: number }>(WHO);
    const after = await client.query<{ pid: number }>(WHO);
    const [had, held, has] = [before, others, after].map(({ rows }) => rows[0]?.pid);
    return had === has && had !== held ? 'session' : 'transaction';
  } catch (error) {
    if (NOT_TRACKED.test(findCode(error))) return 'transaction without prepared statements';
    throw error;
  } finally {
    await other.end().catch(() => undefined);
  }
}
