// Changes of webhook endpoints, over HTTP and by the command line alike; tests them, and sends events again. Every change is committed by
// ManagedWrites.
import { Inject, Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { noSuch, Problem, unavailable } from '../common/problems/problem.js';
import { messageOf, quote } from '../common/validation/fault.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import { createdAtFaults } from '../common/validation/own-fields.js';
import { changeOf, forward, ManagedWrites, requireConditions } from '../common/writes/managed-writes.js';
import type { Writer, WriteResult } from '../common/writes/managed-writes.js';
import { customerFault } from '../customers/customer-fault.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { isStorable } from '../platform/database/reads.js';
import { LOCK_REPLAY, REPLAY, WAKE } from './deliveries.statements.js';
import { urlFault } from './dto/webhook-endpoint.input.js';
import type { WebhookEndpointInput, WebhookEndpointPatch } from './dto/webhook-endpoint.input.js';
import { taggedPart, toWebhookEndpointResponse } from './dto/webhook-endpoint.response.js';
import type {
  DeletedWebhookEndpointResponse,
  WebhookEndpointResponse,
  WebhookEndpointWithSecretResponse,
  WebhookReplayResponse,
  WebhookTestResponse,
} from './dto/webhook-endpoint.response.js';
import { stateOf } from './endpoint-state.js';
import { Sender, sendPing } from './send.js';
import { newSecret, SecretBox } from './secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Of a customer, and of no customer. */
const MOST_ENDPOINTS = 100;

/** Tests that run at once: each may wait 15 s for a receiver. */
const MOST_TESTS = { ofKey: 2, ofCustomer: 4, ofAll: 8 };

/** One at a time, so that those which count the endpoints see each other's. */
const LOCK_NEW = `select pg_advisory_xact_lock(hashtext('tank-monitoring new webhook endpoint'))`;
type NewEndpoint = Pick<WebhookEndpointInput, 'url' | 'types' | 'description' | 'customer_id'>;

/** An endpoint that is locked, and as a GET shows it. */
interface Found {
  readonly stored: WebhookEndpoint;
  readonly shown: WebhookEndpointResponse;
}

/** Where the next slice of events begins, and where the last one ends: what happens later is sent anyway. */
interface ReplayPlace {
  readonly since: string | null;
  /** Null when there are no more. */
  readonly after: string | null;
  readonly until: string | null;
}

@Injectable()
export class Endpoints {
  /** Who tests an endpoint now. */
  private readonly testing = new Set<Writer>();

  constructor(
    private readonly writes: ManagedWrites,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
  ) {}

  /** The secret is returned this once. */
  create(body: NewEndpoint, writer: Writer): Promise<WriteResult<WebhookEndpointWithSecretResponse>> {
    return this.run(writer, async (manager) => {
      this.requireAllowed(body.url);
      const { url, description = null, customer_id = writer.customerId } = body;
      const unknown = await customerFault(manager, customer_id, writer);
      if (unknown !== undefined) throw invalidFields([unknown]);
      await requireRoom(manager, customer_id);
      const [{ id }] = await manager.query<[{ id: string }]>('select new_id() as id');
      const secret = newSecret();
      const sealed = this.box.seal(secret, id);
      const types = distinct(body.types ?? null);
      await manager.insert(WebhookEndpoint, { id, url, types, description, customer_id, secret: sealed });
      const fields = ['url', 'types', 'description', 'customer_id'];
      const change = changeOf('webhook_endpoint', id, 'create', fields, { ownerId: customer_id });
      return { ...(await this.result(manager, id, { secret })), change };
    });
  }

  /** A new URL keeps the secret and what is pending. */
  patch(
    id: string,
    body: WebhookEndpointPatch,
    writer: Writer,
    reasonToDisable = 'it was disabled over the API',
  ): Promise<WriteResult<WebhookEndpointResponse>> {
    return this.ofOne(id, writer, async (manager, { stored, shown }) => {
      if (body.url !== undefined) this.requireAllowed(body.url);
      requireAsItIs(body, stored, shown);
      const before = { ...fieldsOf(stored), enabled: stored.disabled_at === null };
      const { url = before.url, description = before.description, enabled = before.enabled } = body;
      const types = body.types === undefined ? before.types : distinct(body.types);
      const next = { url, types, description, enabled };
      const fields = (['url', 'types', 'description', 'enabled'] as const).filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(next[name]),
      );
      if (fields.length === 0) return { object: shown, tagged: taggedPart(shown) };
      const turned = enabled
        ? { disabled_at: null, disabled_reason: null, failing_since: null }
        : { disabled_at: () => 'now()', disabled_reason: reasonToDisable };
      await manager.update(
        WebhookEndpoint,
        { id },
        { ...fieldsOf(next), ...(fields.includes('enabled') ? turned : {}), updated_at: forward },
      );
      return {
        ...(await this.result(manager, id)),
        change: changeOf('webhook_endpoint', id, 'update', fields, {
          ownerId: stored.customer_id,
          before: shown,
        }),
      };
    });
  }

  /** Nobody sees its deliveries from then on, and none is begun; the background work removes them. */
  remove(id: string, writer: Writer): Promise<WriteResult<DeletedWebhookEndpointResponse>> {
    return this.ofOne(id, writer, async (manager, { stored }) => {
      await manager.delete(WebhookEndpoint, { id });
      const whose = { ownerId: stored.customer_id, before: stored };
      return {
        object: { id, object: 'webhook_endpoint', deleted: true } as const,
        change: changeOf('webhook_endpoint', id, 'delete', ['deleted'], whose),
      };
    });
  }

  /** Both secrets sign for a day, so that a receiver has time to change over. */
  rollSecret(id: string, writer: Writer): Promise<WriteResult<WebhookEndpointWithSecretResponse>> {
    return this.ofOne(id, writer, async (manager, { stored }) => {
      const secret = newSecret();
      await manager.update(
        WebhookEndpoint,
        { id },
        {
          previous_secret: () => 'secret',
          previous_secret_until: () => `now() + interval '24 hours'`,
          secret: this.box.seal(secret, id),
        },
      );
      const change = changeOf('webhook_endpoint', id, 'roll', ['secret'], { ownerId: stored.customer_id });
      return { ...(await this.result(manager, id, { secret })), change };
    });
  }

  /** Sends a ping now. A success wakes what waits, unless the endpoint is disabled: its first success wakes the rest. */
  async test(
    id: string,
    writer: Writer,
    beginToWait?: () => void,
  ): Promise<WriteResult<WebhookTestResponse>> {
    this.requireTestRoom(writer);
    this.testing.add(writer);
    try {
      return await this.ping(id, writer, beginToWait);
    } finally {
      this.testing.delete(writer);
    }
  }

  private async ping(
    id: string,
    writer: Writer,
    beginToWait?: () => void,
  ): Promise<WriteResult<WebhookTestResponse>> {
    const { object: endpoint } = await this.ofOne(
      id,
      writer,
      async (_, { stored }) => ({ object: stored }),
      'for_key_share',
    );
    const { url, secret, previous_secret, previous_secret_until: until } = endpoint;
    const isOver = until === null || until <= new Date();
    beginToWait?.();
    const began = performance.now();
    const outcome = await sendPing(
      new Sender(this.config.webhooks),
      url,
      this.box.openAll(id, secret, isOver ? null : previous_secret),
    );
    const milliseconds = Math.round(performance.now() - began);
    if (outcome.delivered && endpoint.disabled_at === null)
      await this.run(writer, async (manager) => ({ object: await manager.query<object>(WAKE, [[id]]) }));
    const { delivered, status, reason: detail } = outcome;
    return { object: { object: 'webhook_test', delivered, status, milliseconds, detail } };
  }

  private requireTestRoom({ id, customerId }: Writer): void {
    const running = [...this.testing];
    const ofKey = running.filter((other) => other.id === id);
    const ofCustomer = running.filter((other) => customerId !== null && other.customerId === customerId);
    const isFull =
      ofKey.length >= MOST_TESTS.ofKey ||
      ofCustomer.length >= MOST_TESTS.ofCustomer ||
      running.length >= MOST_TESTS.ofAll;
    if (isFull) throw tooManyTests();
  }

  /**
   * Sends kept events once more, with their first ids; `since` is as PostgreSQL reads it. In slices, each of which is kept: those of months
   * would take longer than a statement may.
   */
  async replay(id: string, since: string, writer: Writer): Promise<WriteResult<WebhookReplayResponse>> {
    let queued = 0;
    let asked = writer;
    let place: ReplayPlace = { since, after: '', until: null };
    while (place.after !== null) {
      const { object: slice } = await this.replayNext(id, place, asked);
      queued += slice.queued;
      place = slice;
      asked = { ...writer, ifMatch: undefined, ifNoneMatch: undefined }; // a condition is about the beginning
    }
    return { object: { object: 'webhook_replay', queued } };
  }

  private replayNext(
    id: string,
    { since, after, until }: ReplayPlace,
    writer: Writer,
  ): Promise<WriteResult<ReplayPlace & { readonly queued: number }>> {
    return this.ofOne(
      id,
      writer,
      async (manager, { stored }) => {
        if (stored.disabled_at !== null) throw isDisabled();
        await manager.query(LOCK_REPLAY, [id]);
        const [object] = await manager.query<[ReplayPlace & { queued: number }]>(REPLAY, [
          id,
          since,
          after,
          until,
        ]);
        return { object };
      },
      'for_key_share', // workers, who note whether it fails, need not wait
    );
  }

  private async run<T extends object>(
    writer: Writer,
    work: (manager: EntityManager) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    if (this.config.webhooks.secretKeys.length === 0) throw webhooksOff();
    return this.writes.run(writer, work);
  }

  private ofOne<T extends object>(
    id: string,
    writer: Writer,
    work: (manager: EntityManager, found: Found) => Promise<WriteResult<T>>,
    mode: 'for_no_key_update' | 'for_key_share' = 'for_no_key_update',
  ): Promise<WriteResult<T>> {
    return this.run(writer, async (manager) => {
      const { customerId: boundTo } = writer;
      const where = { id, ...(boundTo === null ? {} : { customer_id: boundTo }) };
      const stored = isStorable(id)
        ? await manager.findOne(WebhookEndpoint, { where, lock: { mode } })
        : null;
      if (stored === null) throw noSuch('webhook endpoint');
      const shown = await this.show(manager, stored);
      requireConditions(writer, 'webhook endpoint', taggedPart(shown));
      return work(manager, { stored, shown });
    });
  }

  private async show(manager: EntityManager, endpoint: WebhookEndpoint): Promise<WebhookEndpointResponse> {
    const [{ here }] = await manager.query<[{ here: string }]>('select database_identity() as here');
    return toWebhookEndpointResponse(endpoint, stateOf(endpoint, here, this.box));
  }

  /** What is there now, and `more`, which the answer has and a GET has not. */
  private async result<More extends object = object>(
    manager: EntityManager,
    id: string,
    more?: More,
  ): Promise<{ object: WebhookEndpointResponse & More; tagged: object }> {
    const shown = await this.show(manager, await manager.findOneByOrFail(WebhookEndpoint, { id }));
    return { object: Object.assign({}, shown, more), tagged: taggedPart(shown) };
  }

  /** Whatever becomes the URL of an endpoint passes here. */
  private requireAllowed(url: string): void {
    const found = urlFault(url, this.config.webhooks);
    if (found !== undefined) throw invalidFields([fieldFault('url', messageOf(found))]);
  }
}

const distinct = (types: string[] | null): string[] | null => (types === null ? null : [...new Set(types)]);

const fieldsOf = ({ url, types, description }: Pick<WebhookEndpoint, 'url' | 'types' | 'description'>) => ({
  url,
  types,
  description,
});

async function requireRoom(manager: EntityManager, customerId: string | null): Promise<void> {
  await manager.query(LOCK_NEW);
  const count = await manager.countBy(WebhookEndpoint, { customer_id: customerId ?? IsNull() });
  if (count >= MOST_ENDPOINTS) throw tooMany();
}

/** What a patch may hold because it was read, and what only another operation changes. */
function requireAsItIs(
  body: WebhookEndpointPatch,
  stored: WebhookEndpoint,
  shown: WebhookEndpointResponse,
): void {
  const faults = createdAtFaults(body.created_at, stored.created_at);
  for (const name of ['customer_id', 'state'] as const)
    if (body[name] !== undefined && body[name] !== shown[name])
      faults.push(fieldFault(name, 'must stay as it is', quote(shown[name])));
  if (faults.length > 0) throw invalidFields(faults);
}

function tooManyTests(): Problem {
  const { ofKey, ofCustomer, ofAll } = MOST_TESTS;
  const detail = `At most ${ofKey} tests of a key, ${ofCustomer} of a customer and ${ofAll} in all run at once. Try again when one has ended.`;
  return unavailable('overloaded', detail);
}

export function webhooksOff(): Problem {
  const detail = 'Webhooks are off: the operator has to set WEBHOOK_SECRET_KEY.';
  return new Problem({ status: 409, code: 'webhooks_off', detail });
}

export function isDisabled(): Problem {
  const detail = 'This webhook endpoint is disabled. Enable it first.';
  return new Problem({ status: 409, code: 'disabled', detail });
}

export function tooMany(): Problem {
  const detail = `There are ${MOST_ENDPOINTS} webhook endpoints of this customer, or without one, already. Delete one first.`;
  return new Problem({ status: 409, code: 'too_many', detail });
}
