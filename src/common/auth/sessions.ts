// Sessions of people in browsers: 256 random bits in a cookie, of which the database has a hash. A session is its user, or the key that
// somebody signed in with, and ends with it.
import { Inject, Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { PRIMARY_POOL, withTransaction } from '../../platform/database/pool.js';
import { FRESH_READS, type Reads, type Statement } from '../../platform/database/reads.js';
import { IS_ACTIVE } from './api-key.js';
import { callerOfKey, KEY_COLUMNS, type KeyRow } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { LastUse } from './last-use.js';
import { LookUps } from './look-ups.js';
import { SCOPES_OF, type Role } from './scope.js';

/** How long somebody stays signed in who asked for it. */
export const STAY_SECONDS = 30 * 86_400;

const IS_OPEN = `
  case when stays then sessions.created_at > now() - interval '${STAY_SECONDS} seconds'
       else sessions.created_at > now() - interval '7 days' and used_at > now() - interval '12 hours' end`;

/** A user ends with its customer, as a key does, and is back when that is restored. */
const FIND_SESSION: Statement = {
  name: 'find_session',
  text: `
    select ${KEY_COLUMNS}, person.id as user_id, person.email as user_email, person.name as user_name, person.role,
           person.customer_id as user_customer_id
    from sessions
    left join (select * from api_keys where ${IS_ACTIVE}) key on key.prefix = sessions.key_prefix
    left join users person on person.id = sessions.user_id
      and (person.customer_id is null or exists (select from customers where id = person.customer_id and not deleted))
    where sessions.hash = decode($1, 'hex') and ${IS_OPEN} and (key.prefix is not null or person.id is not null)`,
};

/** Whoever signs in often keeps the newest. */
const MOST_OF_ONE = 100;

const FORGET = `
  delete from sessions
  where hash in (select hash from sessions where not ${IS_OPEN} limit 100)
     or hash in (select hash from sessions where user_id = $1 or key_prefix = $2 order by created_at desc offset ${MOST_OF_ONE})`;

interface UserRow {
  readonly user_id: string;
  readonly user_email: string;
  readonly user_name: string | null;
  readonly role: Role;
  readonly user_customer_id: string | null;
}

@Injectable()
export class Sessions {
  private readonly lookUps = new LookUps((id) => this.read(id));

  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    private readonly lastUse: LastUse,
  ) {}

  isNew(token: string): boolean {
    return this.lookUps.isNew(idOf(token));
  }

  /** Null when it has ended, or never was. */
  async callerOf(token: string, mayBeCached = true): Promise<Caller | null> {
    const id = idOf(token);
    const caller = await this.lookUps.find(id, mayBeCached, ({ endsAt }) => endsAt > Date.now());
    if (caller === undefined) return null;
    const now = Date.now();
    this.lastUse.note('session', id, now);
    this.lastUse.note(caller.kind, caller.id, now);
    return caller;
  }

  /** Returns what the cookie holds. The last session of the same browser ends. */
  async begin({ kind, id }: Pick<Caller, 'kind' | 'id'>, stays: boolean, last?: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const [user, key] = kind === 'user' ? [id, null] : [null, id];
    await this.write([FORGET, user, key], [INSERT, idOf(token), user, key, stays], ...endOf(last));
    if (last !== undefined) this.lookUps.forget(idOf(last));
    return token;
  }

  async end(token: string): Promise<void> {
    await this.write(...endOf(token));
    this.lookUps.forget(idOf(token));
  }

  private async write(...statements: Written[]): Promise<void> {
    await withTransaction(
      this.pool,
      async (client) => {
        for (const [text, ...values] of statements) await client.query(text, values);
      },
      'begin read write', // those of this pool are read-only otherwise
    );
  }

  private async read(id: string): Promise<Caller | undefined> {
    const row = await this.reads.firstRow<(KeyRow & { user_id: null }) | UserRow>(FIND_SESSION, [id]);
    if (row === undefined) return undefined;
    return row.user_id === null ? callerOfKey(row) : callerOfUser(row);
  }
}

type Written = readonly [text: string, ...values: (string | boolean | null)[]];

const INSERT = `insert into sessions (hash, user_id, key_prefix, stays) values (decode($1, 'hex'), $2, $3, $4)`;

const endOf = (token: string | undefined): Written[] =>
  token === undefined ? [] : [["delete from sessions where hash = decode($1, 'hex')", idOf(token)]];

/** One SHA-256 is enough, as of a key. */
const idOf = (token: string): string => hash('sha256', token, 'hex');

function callerOfUser(row: UserRow): Caller {
  return {
    kind: 'user',
    id: row.user_id,
    name: row.user_name ?? row.user_email,
    parent: null,
    email: row.user_email,
    customerId: row.user_customer_id,
    scopes: SCOPES_OF[row.role],
    endsAt: Infinity,
  };
}
