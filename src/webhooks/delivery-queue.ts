// Which deliveries there are to make, and what became of them. A tank's pending deliveries to an endpoint wait in a line. Workers claim
// lines, so what waits behind the first of a line costs nothing. Whoever claims or releases a line locks it and reads it afterwards, in one
// transaction, so none overlooks what another adds. What is decided is in delivery-policy.ts and delivery-slots.ts.
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ClientBase, Pool } from 'pg';
import { toEventResponse, type EventRow } from '../alerts/event-row.js';
import { withTransaction, WORKER_POOL } from '../platform/database/pool.js';
import type { DeliveryOutcome } from '../platform/metrics/metrics.js';
import {
  CLAIM,
  DISABLE,
  DUE,
  LINE_UP,
  OPEN_ENDPOINTS,
  RECORD,
  RECORD_ENDPOINTS,
  RELEASE,
  START,
  WAITING,
  WAKE,
  WOKEN_AT_ONCE,
} from './delivery-queue.statements.js';
import { delayAfter, LONGEST_WAIT, nextInLine, reasonToDisable, type Waiting } from './delivery-policy.js';
import { SecretBox } from './secrets.js';
import type { Outcome } from './send.js';
import type { Due, Slots } from './delivery-slots.js';

export interface OpenEndpoint {
  readonly id: string;
  /** Null: for the events of all customers. */
  readonly customerId: string | null;
  readonly url: string;
  readonly secrets: readonly string[];
  /** Since its last success, if it had any, it has only failed. */
  readonly isFailing: boolean;
}

export interface ClaimedDelivery {
  readonly id: number;
  readonly endpointId: string;
  readonly line: string;
  /** Only this claim of its line may record it. */
  readonly claim: string;
  /** This one included. */
  readonly tries: number;
  readonly eventId: string;
  /** The event object, as it is sent. */
  readonly body: string;
  /** A traceparent. */
  readonly causedBy: string | null;
}

export interface Answered {
  readonly delivery: ClaimedDelivery;
  readonly outcome: Outcome;
  readonly became: DeliveryOutcome;
  /** Until it is tried again. */
  readonly delayMs: number;
  /** Undefined without tracing. */
  readonly traceId: string | undefined;
}

export function answeredWith(delivery: ClaimedDelivery, outcome: Outcome, traceId?: string): Answered {
  const { delivered, retryAfterMs } = outcome;
  const delayMs = delivered ? undefined : delayAfter(delivery.tries, retryAfterMs);
  const became = delivered ? 'delivered' : delayMs === undefined ? 'failed' : 'retried';
  return { delivery, outcome, became, delayMs: delayMs ?? 0, traceId };
}

interface OpenEndpointRow extends Omit<OpenEndpoint, 'secrets'> {
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly isRestored: boolean;
}

type WaitingRow = Waiting & { readonly line: string; readonly isDue: boolean };
type StartedRow = EventRow &
  Pick<ClaimedDelivery, 'endpointId' | 'line' | 'tries' | 'causedBy'> & { readonly deliveryId: number };

@Injectable()
export class DeliveryQueue {
  /** The name of this worker in its claims. */
  private readonly claimant = `${hostname()} ${process.pid} ${randomUUID()}`;
  private claims = 0;

  constructor(
    @Inject(WORKER_POOL) private readonly pool: Pick<Pool, 'query' | 'connect'>,
    private readonly box: SecretBox,
  ) {}

  /** Without those whose secret no key opens, and those of a restored backup, which its source may be delivering to still. */
  async openEndpoints(): Promise<{ open: OpenEndpoint[]; restored: number }> {
    const { rows } = await this.pool.query<OpenEndpointRow>(OPEN_ENDPOINTS);
    const here = rows.filter(({ isRestored }) => !isRestored);
    const open = here
      .map(({ secret, previous, ...endpoint }) => ({
        ...endpoint,
        secrets: this.box.openAll(endpoint.id, secret, previous),
      }))
      .filter(({ secrets }) => secrets.length > 0);
    return { open, restored: rows.length - here.length };
  }

  /** How many lines of each endpoint can be claimed, up to as many as it has slots for. */
  async findDue(rooms: readonly Slots[]): Promise<Due[]> {
    const [ids, slots] = toSlotArrays(rooms);
    await this.pool.query(LINE_UP, [ids]);
    return (await this.pool.query<Due>(DUE, [ids, slots])).rows;
  }

  /** A line may turn out to have nothing due: `looked` counts it all the same. */
  claim(slots: readonly Slots[]): Promise<{ looked: number; claimed: ClaimedDelivery[] }> {
    this.claims += 1;
    const claim = `${this.claimant} ${this.claims}`;
    return withTransaction(this.pool, async (client) => {
      const { rows: lines } = await client.query<{ line: string }>(CLAIM, [...toSlotArrays(slots), claim]);
      const next = await findNext(client, lines);
      const due = [...next.values()].flatMap((waiting) => (waiting?.isDue ? waiting.id : []));
      const { rows } = await client.query<StartedRow>(START, [due]);
      for (const { line } of rows) next.delete(line);
      await release(client, next);
      return { looked: lines.length, claimed: rows.map((row) => toDelivery(row, claim)) };
    });
  }

  /** Returns the endpoints that this disabled, and why. What another worker has claimed meanwhile is left to it. */
  record(answered: readonly Answered[]): Promise<{ id: string; reason: string }[]> {
    return withTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ id: number }>(RECORD, [
        answered.map(({ delivery }) => delivery.id),
        answered.map(({ delivery }) => delivery.line),
        answered.map(({ delivery }) => delivery.claim),
        answered.map(({ became }) => (became === 'retried' ? 'pending' : became)),
        answered.map(({ delayMs }) => delayMs),
        answered.map(({ outcome }) => outcome.status),
        answered.map(({ outcome }) => outcome.reason),
        answered.map(({ outcome }) => Math.min(outcome.retryAfterMs, LONGEST_WAIT)),
      ]);
      const own = answered.filter(({ delivery }) => rows.some(({ id }) => id === delivery.id));
      const lines = own.map(({ delivery }) => delivery);
      await release(client, await findNext(client, lines));
      return recordEndpoints(client, own);
    });
  }

  /** What waits for these endpoints is due, since they answer again. False when there is more to wake. */
  async wake(endpointIds: readonly string[]): Promise<boolean> {
    const { rows } = await this.pool.query<{ n: number }>(WAKE, [endpointIds]);
    return (rows[0]?.n ?? 0) < WOKEN_AT_ONCE;
  }
}

function toSlotArrays(slots: readonly Slots[]): [string[], number[]] {
  return [slots.map(({ endpointId }) => endpointId), slots.map(({ slots: n }) => n)];
}

function toDelivery(row: StartedRow, claim: string): ClaimedDelivery {
  const { deliveryId: id, endpointId, line, tries, causedBy, ...event } = row;
  const body = JSON.stringify(toEventResponse(event));
  return { id, endpointId, line, claim, tries, eventId: event.id, body, causedBy };
}

type Lines = readonly { readonly line: string }[];

/** What is next in each of these lines, which the caller has locked; undefined where nothing waits. */
async function findNext(client: ClientBase, lines: Lines): Promise<Map<string, WaitingRow | undefined>> {
  const { rows } = await client.query<WaitingRow>(WAITING, [lines.map(({ line }) => line)]);
  return new Map(lines.map(({ line }) => [line, nextInLine(rows.filter((row) => row.line === line))]));
}

async function release(client: ClientBase, next: ReadonlyMap<string, WaitingRow | undefined>): Promise<void> {
  if (next.size === 0) return;
  const dueAt = [...next.values()].map((waiting) => waiting?.nextTryAt ?? null);
  await client.query(RELEASE, [[...next.keys()], dueAt]);
}

async function recordEndpoints(
  client: ClientBase,
  answered: readonly Answered[],
): Promise<{ id: string; reason: string }[]> {
  const ids = [...new Set(answered.map(({ delivery }) => delivery.endpointId))];
  const has = (id: string, isSo: (outcome: Outcome) => boolean): boolean =>
    answered.some(({ delivery, outcome }) => delivery.endpointId === id && isSo(outcome));
  const isGone = (id: string): boolean => has(id, ({ status }) => status === 410);
  const { rows } = await client.query<{ id: string; failingMs: number | null }>(RECORD_ENDPOINTS, [
    ids,
    ids.map((id) => !isGone(id) && has(id, ({ delivered }) => delivered)),
  ]);
  const disabled = rows.flatMap(({ id, failingMs }) => {
    const reason = reasonToDisable(isGone(id), failingMs ?? 0);
    return reason === undefined ? [] : { id, reason };
  });
  for (const { id, reason } of disabled) await client.query(DISABLE, [id, reason]);
  return disabled;
}
