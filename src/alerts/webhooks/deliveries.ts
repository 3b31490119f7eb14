// The statements behind deliveries. The rules (whose turn it is, when an endpoint is disabled) are in the database's functions, where
// every worker obeys them.
import type { Pool } from 'pg';
import { toEventResponse, type EventRow } from '../event-row.js';
import { delayAfter } from './retries.js';
import type { SecretBox } from './secrets.js';
import type { Outcome } from './send.js';
import type { Turn } from './shares.js';

export interface OpenEndpoint {
  readonly id: string;
  readonly url: string;
  readonly secrets: readonly string[];
  /** Since its last success, if it had any, it has only failed. */
  readonly isFailing: boolean;
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

/** How long a claim is valid: longer than a try may take, and after a crash over within a minute. */
const LEASE = '40 seconds';

const CLAIM = `
  select delivery_id::float8 as delivery_id, endpoint_id, tries,
         id, type, created_at::text as created_at, tank_id, owner_id, data
  from claim_deliveries($1, $2, $3, $4, $5, $6, $7, '${LEASE}')`;

const RECORD = `
  select endpoint_id as id, disabled_reason as reason
  from record_deliveries($1, $2, $3, $4, $5, array(select delay * interval '1 millisecond' from unnest($6::float8[]) delay))`;

const OPEN_ENDPOINTS = `
  select id, url, secret, case when previous_secret_until > now() then previous_secret end as previous,
         failing_since is not null as failing, made_in <> database_identity() as restored
  from webhook_endpoints where disabled_at is null`;

interface OpenEndpointRow extends Pick<OpenEndpoint, 'id' | 'url'> {
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly failing: boolean;
  readonly restored: boolean;
}

export class Deliveries {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly box: SecretBox,
    /** The name of this worker in its claims. */
    private readonly claimant: string,
  ) {}

  /** Without those whose secret no key opens, and those of a restored backup, which its source may be delivering to still. */
  async openEndpoints(): Promise<{ open: OpenEndpoint[]; restored: number }> {
    const { rows } = await this.pool.query<OpenEndpointRow>(OPEN_ENDPOINTS);
    const here = rows.filter(({ restored }) => !restored);
    const open = here
      .map(({ id, url, secret, previous, failing }) => ({
        id,
        url,
        secrets: this.box.openAll(id, secret, previous),
        isFailing: failing,
      }))
      .filter(({ secrets }) => secrets.length > 0);
    return { open, restored: rows.length - here.length };
  }

  async claim({ rooms, most, kept, few }: Turn): Promise<ClaimedDelivery[]> {
    const { rows } = await this.pool.query<
      EventRow & { delivery_id: number; endpoint_id: string; tries: number }
    >(CLAIM, [
      this.claimant,
      rooms.map(({ endpointId }) => endpointId),
      rooms.map(({ underWay }) => underWay),
      rooms.map(({ room }) => room),
      most,
      kept,
      few,
    ]);
    return rows.map((row) => ({
      id: row.delivery_id,
      endpointId: row.endpoint_id,
      tries: row.tries,
      eventId: row.id,
      body: JSON.stringify(toEventResponse(row)),
    }));
  }

  /** Returns the endpoints that this disabled, and why. */
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
}
