// What a session really has. PostgreSQL gives a session the settings it asks for when it connects; a pooler in between may drop
// them, or give the session to another client after each transaction. So each new connection is checked before it is used: one
// round trip, and on a connection to PostgreSQL itself that is all.
import type { Duplex } from 'node:stream';
import { Client, type ClientBase, type ClientConfig, type Connection } from 'pg';
import type { Logger } from '../logging/logger.js';
import { codeOf } from './failures.js';

/** Rows are read as text, so every session needs these. Written as PostgreSQL does, so that a pooler sees no change. */
const LANGUAGE = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', client_encoding: 'UTF8' } as const;

/** Undocumented: what the client asks for when it connects, and its backend as the server named it. */
type Starting = Client & { getStartupConf(): object; readonly processID: number | null };

type Listen = (event: string, listener: (chunk: Buffer) => void) => unknown;
/** Undocumented: passes what the stream receives to the parser, and uses nothing of the stream but `on`. */
type Listening = Connection & { attachListeners(stream: { on: Listen }): void };

/**
 * Asks for its language by parameters of their own: poolers keep these for each client, while they drop or refuse `options`.
 * An answer that pg cannot parse (an unknown way to log in, a server that is no PostgreSQL) breaks the connection: pg throws
 * from the socket's own event, which would end the process.
 */
export class SessionClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const starting = this as Client as Starting;
    const parameters = starting.getStartupConf.bind(this);
    starting.getStartupConf = () => ({ ...parameters(), ...LANGUAGE });
    const connection = this.connection as Listening;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = () => attach({ on: listenGuarded(connection.stream) });
  }
}

function listenGuarded(stream: Duplex): Listen {
  return (event, listener) =>
    stream.on(event, (chunk: Buffer) => {
      try {
        listener(chunk);
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
}

/** A session that would answer wrongly, or not at all; the message says what to change. */
export class UnfitSession extends Error {}

type Pooling = 'session' | 'transaction' | 'transaction without prepared statements';

const SESSION = `
  select pg_backend_pid() as pid, current_setting('TimeZone') as "TimeZone",
         current_setting('DateStyle') as "DateStyle", current_setting('client_encoding') as "client_encoding"`;

const SET = 'select set_config(key, value, false) from json_each_text($1)';

/** In the units that settings are asked for in. */
const LACKING = `
  select key as name, value from json_each_text($1) join pg_settings on pg_settings.name = key where setting <> value`;

const WHO = { name: 'tank_monitoring_who', text: 'select pg_backend_pid() as pid' };
/** Which of two connections asks: the order shows a shared session whether the pooler takes idle ones in turn or not. */
const TURNS = [0, 1, 1, 0, 0, 1, 0, 1] as const;
/** SQLSTATE: a statement was prepared in this session by another, or this one's was prepared in another session. */
const NOT_TRACKED = /^(42P05|26000)$/;

const SEE = '(see "Pooler" in docs/database.md)';

/** The sessions of one pool. */
export class Sessions {
  private pooling: Promise<Pooling> | undefined;
  private hasWarned = false;

  constructor(
    /** Asked for in `options`, besides the language. */
    private readonly settings: Readonly<Record<string, string>>,
    /** For another connection like those of the pool. */
    private readonly connection: ClientConfig,
    private readonly logger: Logger | undefined,
  ) {}

  /** For a connection that was just made; rejects when it must not be used. */
  async check(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ pid: number } & typeof LANGUAGE>(SESSION);
    const [session] = rows;
    const isUnderstood = Object.entries(LANGUAGE).every(
      ([name, value]) => session?.[name as keyof typeof LANGUAGE] === value,
    );
    const isPooled = session?.pid !== (client as Starting).processID;
    if (isUnderstood && (!isPooled || Object.keys(this.settings).length === 0)) return;
    switch (await this.findPooling(client)) {
      case 'session':
        await client.query(SET, [JSON.stringify({ ...LANGUAGE, ...this.settings })]);
        return;
      case 'transaction':
        // A setting would stay with the session, and go to whoever has it next.
        if (!isUnderstood) throw new UnfitSession(misunderstood(session));
        return this.warnOfLacking(client);
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

  private async warnOfLacking(client: ClientBase): Promise<void> {
    if (this.hasWarned) return;
    const { rows } = await client.query<{ name: string; value: string }>(LACKING, [
      JSON.stringify(this.settings),
    ]);
    if (rows.length === 0) return;
    this.hasWarned = true;
    const commands = rows.map(({ name, value }) => `alter role … set ${name} = '${value}';`);
    this.logger?.warn(
      { commands },
      `sessions through the pooler lack settings of the service: give them to its role ${SEE}`,
    );
  }
}

function misunderstood(session: object | undefined): string {
  const has = JSON.stringify(session);
  const commands = Object.entries(LANGUAGE).map(([name, value]) => `alter role … set ${name} = '${value}';`);
  return `Times would be wrong: sessions through the pooler have ${has}. Let it keep these parameters for each client, or run: ${commands.join(' ')} ${SEE}`;
}

/** Two connections that are open together have a session each, unless it is theirs for a transaction only. */
async function findPooling(first: ClientBase, connection: ClientConfig): Promise<Pooling> {
  const second = new SessionClient(connection);
  second.on('error', () => undefined); // whatever it was busy with fails by itself
  await second.connect();
  try {
    const clients = [first, second];
    const [sessions, whose] = [new Set<number>(), new Set<string>()];
    for (const turn of TURNS) {
      const answer = await clients[turn]?.query<{ pid: number }>(WHO);
      for (const { pid } of answer?.rows ?? []) {
        sessions.add(pid);
        whose.add(`${pid} of ${turn}`);
      }
    }
    return sessions.size === 2 && whose.size === 2 ? 'session' : 'transaction';
  } catch (error) {
    if (NOT_TRACKED.test(codeOf(error))) return 'transaction without prepared statements';
    throw error;
  } finally {
    await second.end().catch(() => undefined);
  }
}
