// What a session really has. PostgreSQL gives a session what it asks for when it connects; a pooler in between may drop it, or
// hand the session to somebody else after each transaction. So each new connection is looked at before it is used: one round
// trip, and on a connection to PostgreSQL itself that is all.
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { GuardedClient } from './guarded-client.js';

/**
 * Every session speaks UTC and ISO dates, whatever the server's or the role's defaults: rows are read as text. Written as
 * PostgreSQL writes them, so that a pooler sees that nothing has to be changed.
 */
const LANGUAGE = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', client_encoding: 'UTF8' } as const;

type Settings = Readonly<Record<string, string>>;

/** Undocumented: what the client asks for when it connects, and the backend it was told it has. */
type Starting = Client & { getStartupConf(): object; readonly processID: number | null };

/** Asks for its language by parameters of their own: poolers keep these for each client, while they drop or refuse `options`. */
export class SessionClient extends GuardedClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    const starting = this as Client as Starting;
    const parameters = starting.getStartupConf.bind(this);
    starting.getStartupConf = () => ({ ...parameters(), ...LANGUAGE });
  }
}

/** A session that would answer wrongly, or not at all; the message says what to change. */
export class UnfitSession extends Error {}

type Pooling = 'session' | 'transaction' | 'transaction without prepared statements';

const LOOK = `
  select pg_backend_pid() as pid, current_setting('TimeZone') as "TimeZone",
         current_setting('DateStyle') as "DateStyle", current_setting('client_encoding') as "client_encoding"`;

const SET = 'select set_config(key, value, false) from json_each_text($1)';

/** In the units that settings are asked for in. */
const LACKING = `
  select key as name, value from json_each_text($1) join pg_settings on pg_settings.name = key where setting <> value`;

const WHO = { name: 'tank_monitoring_who', text: 'select pg_backend_pid() as pid' };
/** Which of two connections asks, in an order that tells them apart whether idle sessions are handed out in turn or not. */
const TURNS = [0, 1, 1, 0, 0, 1, 0, 1] as const;
/** SQLSTATE: a statement was prepared in this session by another, or this one's was prepared in another session. */
const NOT_TRACKED = /^(42P05|26000)$/;

const SEE = '(see "Pooler" in docs/database.md)';

/** The sessions of one pool. */
export class Sessions {
  /** Found out once: a pooler keeps its mode while it runs. */
  private pooling: Promise<Pooling> | undefined;
  private hasTold = false;

  constructor(
    /** Asked for in `options`, besides the language. */
    private readonly settings: Settings,
    /** For another connection like those of the pool. */
    private readonly connection: ClientConfig,
    private readonly tell: (facts: object, message: string) => void,
  ) {}

  /** For a connection that was just made; rejects when it must not be used. */
  async check(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ pid: number } & typeof LANGUAGE>(LOOK);
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
        return this.tellLacking(client);
      case 'transaction without prepared statements':
        this.pooling = undefined; // perhaps it is set right meanwhile
        throw new UnfitSession(
          `The pooler gives each transaction another session and does not follow prepared statements: set max_prepared_statements = 200 (PgBouncer 1.21 or later) or pool_mode = session ${SEE}.`,
        );
    }
  }

  private findPooling(client: ClientBase): Promise<Pooling> {
    this.pooling ??= findPooling(client, this.connection).catch((error: unknown) => {
      this.pooling = undefined; // the next connection finds it out
      throw error;
    });
    return this.pooling;
  }

  private async tellLacking(client: ClientBase): Promise<void> {
    if (this.hasTold) return;
    const { rows } = await client.query<{ name: string; value: string }>(LACKING, [
      JSON.stringify(this.settings),
    ]);
    if (rows.length === 0) return;
    this.hasTold = true;
    const commands = rows.map(({ name, value }) => `alter role … set ${name} = '${value}';`);
    this.tell(
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NOT_TRACKED.test(code)) return 'transaction without prepared statements';
    throw error;
  } finally {
    await second.end().catch(() => undefined);
  }
}
