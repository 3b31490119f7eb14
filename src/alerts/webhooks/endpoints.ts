// The operator's register of webhook endpoints: add, list, remove, switch on and off, roll a secret.
import type { DataSource } from 'typeorm';
import { newSecret, SecretBox } from './secrets.js';

export interface EndpointRecord {
  readonly id: string;
  readonly url: string;
  readonly customer: string | null;
  readonly types: string[] | null;
  readonly description: string | null;
  readonly created_at: Date;
  /** `enabled`, or why nothing is sent. */
  readonly state: string;
  readonly failing_since: Date | null;
  readonly pending: number;
}

export interface NewEndpoint {
  readonly url: string;
  readonly customerId: string | null;
  readonly types: readonly string[] | null;
  readonly description: string | null;
}

export class EndpointError extends Error {}

const ROLLED_SECRET_LIVES = '24 hours';

interface StateColumns {
  readonly id: string;
  readonly secret: Buffer;
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly restored: boolean;
}

type EndpointRow = Omit<EndpointRecord, 'state'> & StateColumns;

export class Endpoints {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** The secret is returned this once. */
  async add({ url, customerId, types, description }: NewEndpoint): Promise<{ id: string; secret: string }> {
    const [known]: unknown[] = await this.dataSource.query(
      'select 1 from customers where id = $1 and not deleted',
      [customerId],
    );
    if (customerId !== null && known === undefined) {
      throw new EndpointError(`There is no customer with the id "${customerId}".`);
    }
    const [made]: { id: string }[] = await this.dataSource.query('select new_id() as id');
    if (made === undefined) throw new Error('The database gave no id.');
    const secret = newSecret();
    await this.dataSource.query(
      `insert into webhook_endpoints (id, url, customer_id, types, description, secret)
       values ($1, $2, $3, $4, $5, $6)`,
      [made.id, url, customerId, types, description, this.box.seal(secret, made.id)],
    );
    return { id: made.id, secret };
  }

  async list(): Promise<EndpointRecord[]> {
    const rows: EndpointRow[] = await this.dataSource.query(`
      select endpoint.id, url, customer_id as customer, types, description, endpoint.created_at, failing_since,
             disabled_at, disabled_reason, secret, made_in <> database_identity() as restored,
             (select count(*)::integer from webhook_deliveries
              where endpoint_id = endpoint.id and status = 'pending') as pending
      from webhook_endpoints endpoint order by endpoint.created_at, endpoint.id`);
    return rows.map(({ secret, disabled_at, disabled_reason, restored, ...row }) => ({
      ...row,
      state: this.stateOf({ id: row.id, secret, disabled_at, disabled_reason, restored }),
    }));
  }

  private stateOf({ id, secret, disabled_at, disabled_reason, restored }: StateColumns): string {
    if (disabled_at !== null) return `disabled: ${disabled_reason ?? 'no reason is known'}`;
    if (restored)
      return 'waiting: this database was restored from a backup of another (resume delivers from here)';
    const isReadable = this.box.open(secret, id) !== undefined;
    return isReadable
      ? 'enabled'
      : 'waiting: WEBHOOK_SECRET_KEY does not open its secret (roll-secret makes a new one)';
  }

  async find(id: string): Promise<{ url: string; secrets: string[] }> {
    const [row]: { url: string; secret: Buffer; previous: Buffer | null }[] = await this.dataSource.query(
      `select url, secret, case when previous_secret_until > now() then previous_secret end as previous
       from webhook_endpoints where id = $1`,
      [id],
    );
    if (row === undefined) throw unknown(id);
    return { url: row.url, secrets: openSecrets(this.box, id, row.secret, row.previous) };
  }

  async remove(id: string): Promise<void> {
    const [removed]: { removed: string }[] = await this.dataSource.query(
      `with endpoint as (delete from webhook_endpoints where id = $1 returning id),
            sent as (delete from webhook_deliveries where endpoint_id = $1)
       select id as removed from endpoint`,
      [id],
    );
    if (removed === undefined) throw unknown(id);
  }

  enable(id: string): Promise<void> {
    return this.change(id, 'disabled_at = null, disabled_reason = null, failing_since = null');
  }

  disable(id: string): Promise<void> {
    return this.change(
      id,
      `disabled_at = coalesce(disabled_at, now()), disabled_reason = 'the operator disabled it'`,
    );
  }

  /** Both secrets sign for a day, so that a receiver can change over at leisure. */
  async rollSecret(id: string): Promise<string> {
    const secret = newSecret();
    await this.change(
      id,
      `previous_secret = secret, previous_secret_until = now() + interval '${ROLLED_SECRET_LIVES}', secret = $2`,
      [this.box.seal(secret, id)],
    );
    return secret;
  }

  /** Webhooks that came with a backup of another database are delivered to from this one; returns how many, and what waits for them. */
  async resume(discardsPending: boolean): Promise<{ resumed: number; pending: number }> {
    const [row]: { resumed: number; pending: number }[] = await this.dataSource.query(
      `with resumed as (
         update webhook_endpoints set made_in = database_identity()
         where made_in <> database_identity() returning id
       ), discarded as (
         delete from webhook_deliveries
         where $1 and status = 'pending' and endpoint_id in (select id from resumed) returning 1
       )
       select (select count(*) from resumed)::integer as resumed,
              (select count(*) from webhook_deliveries
               where status = 'pending' and endpoint_id in (select id from resumed))::integer as pending`,
      [discardsPending],
    );
    return row ?? { resumed: 0, pending: 0 };
  }

  /** Seals every secret with the first key; returns how many, and which no key opens. */
  async reencrypt(): Promise<{ sealed: number; unreadable: string[] }> {
    const rows: { id: string; secret: Buffer; previous: Buffer | null }[] = await this.dataSource.query(
      'select id, secret, previous_secret as previous from webhook_endpoints order by created_at, id',
    );
    const unreadable: string[] = [];
    for (const { id, secret, previous } of rows) {
      const opened = this.box.open(secret, id);
      if (opened === undefined) {
        unreadable.push(id);
        continue;
      }
      const before = previous === null ? undefined : this.box.open(previous, id);
      // One that was rolled meanwhile is sealed with the new key already.
      await this.dataSource.query(
        'update webhook_endpoints set secret = $3, previous_secret = $4 where id = $1 and secret = $2',
        [id, secret, this.box.seal(opened, id), before === undefined ? null : this.box.seal(before, id)],
      );
    }
    return { sealed: rows.length - unreadable.length, unreadable };
  }

  /** Sends kept events once more, with their first ids; tells how many. `since` is as PostgreSQL reads it. */
  async replay(id: string, since: string): Promise<number> {
    await this.find(id);
    const [queued]: { n: number }[] = await this.dataSource.query(
      `with queued as (
         insert into webhook_deliveries (endpoint_id, event_id, tank_id)
         select endpoint.id, event.id, event.tank_id
         from webhook_endpoints endpoint join events event
           on event.created_at >= $2
          and (endpoint.customer_id is null or endpoint.customer_id = event.owner_id)
          and (endpoint.types is null or event.type = any (endpoint.types))
         where endpoint.id = $1
         order by event.created_at, event.id
         returning 1
       ) select count(*)::integer as n from queued`,
      [id, since],
    );
    return queued?.n ?? 0;
  }

  private async change(id: string, assignments: string, values: readonly unknown[] = []): Promise<void> {
    const [changed]: unknown[] = await this.dataSource.query(
      `with changed as (update webhook_endpoints set ${assignments} where id = $1 returning id) select id from changed`,
      [id, ...values],
    );
    if (changed === undefined) throw unknown(id);
  }
}

function unknown(id: string): EndpointError {
  return new EndpointError(`There is no webhook with the id "${id}"; "webhooks list" shows them.`);
}

/** Those that sign now; none when the key is another than the one they were sealed with. */
export function openSecrets(box: SecretBox, id: string, secret: Buffer, previous: Buffer | null): string[] {
  const current = box.open(secret, id);
  if (current === undefined) return [];
  const before = previous === null ? undefined : box.open(previous, id);
  return before === undefined ? [current] : [current, before];
}
