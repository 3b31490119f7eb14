// The statements of a delivery's life: claimed, sent, recorded. The rules (whose turn it is, when an endpoint is disabled) are
// in the database's functions, where every worker obeys them.
import type { Pool } from 'pg';
import { toEventResponse, type EventRow } from '../event-row.js';
import { openSecrets } from './endpoints.js';
import { delayAfter } from './retries.js';
import type { SecretBox } from './secrets.js';
import type { Outcome } from './send.js';

/** An endpoint that deliveries can be made to now. */
export interface OpenEndpoint {
  readonly id: string;
  readonly url: string;
  readonly secrets: readonly string[];
}

export interface ClaimedDelivery {
  readonly id: number;
  readonly endpointId: string;
  /** This one included. */
  readonly tries: number;
  readonly eventId: string;
  /** The event object, as it is sent. */
  readonly body: string;
}

export interface Answered {
  readonly delivery: ClaimedDelivery;
  readonly outcome: Outcome;
}

type ClaimedRow = EventRow & {
  readonly delivery_id: number;
  readonly endpoint_id: string;
  readonly tries: number;
};

/** How long a claim is believed: longer than a try may take, and after a crash over within a minute. */
const LEASE = '40 seconds';

const CLAIM = `
  select delivery_id::float8 as delivery_id, endpoint_id, tries,
         id, type, created_at::text as created_at, tank_id, owner_id, data
  from claim_deliveries($1, $2, $3, $4, '${LEASE}')`;

const RECORD = `
  select endpoint_id as id, disabled_reason as reason
  from record_deliveries($1, $2, $3, $4, $5, array(select delay * interval '1 millisecond' from unnest($6::float8[]) delay))`;

const OPEN_ENDPOINTS = `
  select id, url, secret, case when previous_secret_until > now() then previous_secret end as previous
  from webhook_endpoints where disabled_at is null`;

const OLDEST_PENDING = `
  select coalesce(extract(epoch from clock_timestamp() - min(delivery.created_at)), 0)::float8 as seconds
  from webhook_endpoints endpoint
  cross join lateral (
    (select created_at from webhook_deliveries
     where endpoint_id = endpoint.id and status = 'pending' and claimed_by is null order by next_try_at, id limit 1)
    union all
    select created_at from webhook_deliveries where endpoint_id = endpoint.id and claimed_by is not null
  ) delivery
  where endpoint.disabled_at is null`;

export class Deliveries {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly box: SecretBox,
    /** Names this worker in its claims. */
    private readonly claimant: string,
  ) {}

  /** Those whose secret this key cannot open wait, and nobody counts it as their failure. */
  async openEndpoints(): Promise<OpenEndpoint[]> {
    const { rows } = await this.pool.query<{
      id: string;
      url: string;
      secret: Buffer;
      previous: Buffer | null;
    }>(OPEN_ENDPOINTS);
    return rows
      .map(({ id, url, secret, previous }) => ({
        id,
        url,
        secrets: openSecrets(this.box, id, secret, previous),
      }))
      .filter(({ secrets }) => secrets.length > 0);
  }

  async claim(endpointIds: readonly string[], atOnce: number, most: number): Promise<ClaimedDelivery[]> {
    const { rows } = await this.pool.query<ClaimedRow>(CLAIM, [this.claimant, endpointIds, atOnce, most]);
    return rows.map((row) => ({
      id: row.delivery_id,
      endpointId: row.endpoint_id,
      tries: row.tries,
      eventId: row.id,
      body: JSON.stringify(toEventResponse(row)),
    }));
  }

  /** Returns the endpoints that were disabled by it, and why. */
  async record(answered: readonly Answered[]): Promise<{ id: string; reason: string }[]> {
    const { rows } = await this.pool.query<{ id: string; reason: string }>(RECORD, [
      this.claimant,
      answered.map(({ delivery }) => delivery.id),
      answered.map(({ outcome }) => outcome.delivered),
      answered.map(({ outcome }) => outcome.status),
      answered.map(({ outcome }) => outcome.reason),
      answered.map(({ delivery, outcome }) => delayAfter(delivery.tries, outcome.retryAfterMs) ?? null),
    ]);
    return rows;
  }

  /** How long the oldest delivery that is still due has been waiting. */
  async oldestPendingSeconds(): Promise<number> {
    const { rows } = await this.pool.query<{ seconds: number }>(OLDEST_PENDING);
    return rows[0]?.seconds ?? 0;
  }
}
