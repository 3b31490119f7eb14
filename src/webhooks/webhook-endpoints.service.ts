// Webhook endpoints, for the API and the command line alike: read by one statement a request, so that a page and its total are of one
// snapshot; changed in a transaction each, with the endpoint locked.
import { Inject, Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch, type Problem } from '../common/problems/problem.js';
import { writeMessage, quote } from '../common/validation/fault.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import {
  changedFields,
  deletion,
  describeChange,
  nextUpdatedAt,
  RecordedWrites,
  requireConditions,
  type Writer,
  type WriteResult,
} from '../common/writes/recorded-writes.js';
import { conflict } from '../common/writes/problems.js';
import { customerFault } from '../customers/customer-fault.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { selectList } from '../platform/database/columns.js';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import { takeLock } from '../platform/schema/locks.js';
import { urlFault } from './dto/webhook-endpoint.input.js';
import type { WebhookEndpointInput, WebhookEndpointPatch } from './dto/webhook-endpoint.input.js';
import {
  taggedPart,
  toWebhookEndpointResponse,
  WebhookEndpointResponse,
} from './dto/webhook-endpoint.response.js';
import type {
  DeletedWebhookEndpointResponse,
  WebhookEndpointRow,
  WebhookEndpointWithSecretResponse,
} from './dto/webhook-endpoint.response.js';
import { newSecret, SecretBox } from './secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Of a customer, and of no customer. */
const MOST_ENDPOINTS = 100;

/** `here`: the database that this is. */
const COLUMNS = `${selectList('endpoint', WebhookEndpoint)}, database_identity() as here`;

const FIND_ONE: Statement = {
  name: 'webhook_endpoint_by_id',
  text: `select ${COLUMNS} from webhook_endpoints endpoint where id = $1 and ($2::text is null or customer_id = $2)`,
};

const LIST = pageOfFew(
  'webhook_endpoints_page',
  { table: 'webhook_endpoints', alias: 'endpoint', columns: COLUMNS },
  '($5::text is null or customer_id = $5)',
);

const LIST_WITH_PENDING: Statement = {
  name: 'webhook_endpoints_with_pending',
  text: `
    select ${COLUMNS}, (select count(*)::integer from webhook_deliveries where endpoint_id = endpoint.id and status = 'pending') as pending
    from webhook_endpoints endpoint order by created_at, id`,
};

/** One at a time, so that those which count the endpoints see each other's. */
const LOCK_NEW = takeLock('NEW_ENDPOINT');

const RESUME = `
  with resumed as (
    update webhook_endpoints set made_in = database_identity()
    where made_in <> database_identity() returning id, url, customer_id, disabled_at is null as is_waiting
  ), recorded as (
    insert into activity (type, object_id, object_name, owner_id, operation, actor, changes)
    select 'webhook_endpoint', id, substring(url from '^[^/]*//[^/]*'), customer_id, 'update', 'webhooks resume', '{"state":{"from":"waiting","to":"enabled"}}'
    from resumed where is_waiting
  ), discarded as (
    delete from webhook_deliveries
    where $1 and status = 'pending' and endpoint_id in (select id from resumed) returning 1
  ), mail as (
    update notice_state set made_in = database_identity(),
           position = case when $1 then (select max(position) from change_feed) else position end
    where made_in <> database_identity() returning 1
  ), discarded_mails as (
    update notices set status = 'failed', next_attempt_at = null, reply = 'it was discarded after a restore'
    where $1 and status = 'pending' and exists (select from mail)
  )
  select case when exists (select from mail) then (select count(*) from notices where status = 'pending')::integer end as mails,
         (select count(*) from resumed)::integer as resumed,
         (select count(*) from webhook_deliveries
          where status = 'pending' and endpoint_id in (select id from resumed))::integer as pending`;

type NewEndpoint = Pick<WebhookEndpointInput, 'url' | 'types' | 'description' | 'customer_id'>;

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
  ) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<WebhookEndpointResponse>> {
    this.requireOn();
    const values = [...query.place, boundTo];
    const rows = await this.reads.page<WebhookEndpointRow & CountedRow>(LIST, values, query.isLarge);
    const show = (row: WebhookEndpointRow) => toWebhookEndpointResponse(row, this.box);
    return pageFromRows(WebhookEndpointResponse, rows, show, query);
  }

  async get(id: string, boundTo: string | null): Promise<WebhookEndpointResponse> {
    this.requireOn();
    const row = await this.reads.firstRow<WebhookEndpointRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('webhook endpoint');
    return toWebhookEndpointResponse(row, this.box);
  }

  /** For the operator: all of them, the oldest first, with how many deliveries wait. */
  async listAll() {
    const rows = await this.reads.rows<WebhookEndpointRow & { pending: number }>(LIST_WITH_PENDING, []);
    return rows.map(({ pending, ...row }) => {
      const { state, reason, ...shown } = toWebhookEndpointResponse(row, this.box);
      const { id, url, customer_id: customer, types, description, created_at, failing_since } = shown;
      const why = reason === null ? state : `${state}: ${reason}`;
      return { id, url, customer, types, description, created_at, failing_since, pending, state: why };
    });
  }

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
      const change = describeChange('webhook_endpoint', id, 'create', fields, { ownerId: customer_id });
      return { object: Object.assign(await this.show(manager, id), { secret }), change };
    });
  }

  /** A new URL keeps the secret and what is pending. */
  patch(
    id: string,
    body: WebhookEndpointPatch,
    writer: Writer,
  ): Promise<WriteResult<WebhookEndpointResponse>> {
    return this.run(writer, async (manager) => {
      const { stored, shown } = await this.lock(manager, id, writer);
      if (body.url !== undefined) this.requireAllowed(body.url);
      requireAsItIs(body, stored, shown);
      const wasEnabled = stored.disabled_at === null;
      const { url = stored.url, description = stored.description, enabled = wasEnabled } = body;
      const types = body.types === undefined ? stored.types : distinct(body.types);
      const next = { url, types, description };
      const before = { url: stored.url, types: stored.types, description: stored.description };
      const fields = changedFields({ ...before, enabled: wasEnabled }, { ...next, enabled });
      if (fields.length === 0) return { object: shown };
      const disabled_reason =
        writer.command === undefined ? 'it was disabled over the API' : 'the operator disabled it';
      const turned = enabled
        ? { disabled_at: null, disabled_reason: null, failing_since: null }
        : { disabled_at: () => 'now()', disabled_reason };
      await manager.update(
        WebhookEndpoint,
        { id },
        { ...next, ...(fields.includes('enabled') && turned), updated_at: nextUpdatedAt },
      );
      const whose = { ownerId: stored.customer_id, before: shown };
      const change = describeChange('webhook_endpoint', id, 'update', fields, whose);
      return { object: await this.show(manager, id), change };
    });
  }

  /** Nobody sees its deliveries from then on, and none is begun; the background work removes them. */
  remove(id: string, writer: Writer): Promise<WriteResult<DeletedWebhookEndpointResponse>> {
    return this.run(writer, async (manager) => {
      const { stored } = await this.lock(manager, id, writer);
      await manager.delete(WebhookEndpoint, { id });
      return deletion('webhook_endpoint', id, stored.customer_id, stored);
    });
  }

  /** Both secrets sign for a day, so that a receiver has time to change over. */
  rollSecret(id: string, writer: Writer): Promise<WriteResult<WebhookEndpointWithSecretResponse>> {
    return this.run(writer, async (manager) => {
      const { stored } = await this.lock(manager, id, writer);
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
      const change = describeChange('webhook_endpoint', id, 'roll', ['secret'], {
        ownerId: stored.customer_id,
      });
      return { object: Object.assign(await this.show(manager, id), { secret }), change };
    });
  }

  /**
   * Delivers to webhooks of a restored backup from here, and sends its mails; returns how many webhooks there are, how many events wait for
   * them, and how many mails wait, null if they did not wait for this.
   */
  async resume(discardsPending: boolean, writer: Writer) {
    type Resumed = { resumed: number; pending: number; mails: number | null };
    const { object } = await this.run(writer, async (manager) => {
      const [resumed] = await manager.query<[Resumed]>(RESUME, [discardsPending]);
      return { object: resumed };
    });
    return object;
  }

  /** Seals every secret with the first key; returns how many, and the ids of those that no key opens. */
  async reencrypt(writer: Writer): Promise<{ sealed: number; unreadable: string[] }> {
    const { object } = await this.run(writer, async (manager) => {
      const unreadable: string[] = [];
      const endpoints = await manager.find(WebhookEndpoint, { order: { id: 'asc' } });
      for (const { id, secret, previous_secret } of endpoints) {
        const [current, previous] = this.box.openAll(id, secret, previous_secret);
        if (current === undefined) {
          unreadable.push(id);
          continue;
        }
        const sealed = {
          secret: this.box.seal(current, id),
          previous_secret: previous === undefined ? null : this.box.seal(previous, id),
        };
        await manager.update(WebhookEndpoint, { id, secret }, sealed); // one that was rolled meanwhile has the new key already
      }
      return { object: { sealed: endpoints.length - unreadable.length, unreadable } };
    });
    return object;
  }

  /** One that the writer sees, as its conditions want it; and as a GET shows it. */
  async lock(
    manager: EntityManager,
    id: string,
    writer: Writer,
    strength: 'no key update' | 'key share' = 'no key update',
  ) {
    const asked = isStorable(id) ? id : null;
    const stored = await findOne(manager, asked, writer.customerId, `for ${strength}`);
    if (stored === undefined) throw noSuch('webhook endpoint');
    const shown = toWebhookEndpointResponse(stored, this.box);
    requireConditions(writer, 'webhook endpoint', taggedPart(shown));
    return { stored, shown };
  }

  async run<T extends object>(
    writer: Writer,
    work: (manager: EntityManager) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    this.requireOn();
    return this.writes.run(writer, work);
  }

  requireOn(): void {
    if (this.config.webhooks.secretKeys.length === 0) throw webhooksOff();
  }

  private async show(manager: EntityManager, id: string): Promise<WebhookEndpointResponse> {
    const stored = await findOne(manager, id, null);
    if (stored === undefined) throw new Error('An endpoint is gone that is being changed.');
    return toWebhookEndpointResponse(stored, this.box);
  }

  /** Whatever becomes the URL of an endpoint passes here. */
  private requireAllowed(url: string): void {
    const found = urlFault(url, this.config.webhooks);
    if (found !== undefined) throw invalidFields([fieldFault('url', writeMessage(found))]);
  }
}

type StoredEndpoint = WebhookEndpoint & Pick<WebhookEndpointRow, 'here'>;

async function findOne(
  manager: EntityManager,
  id: string | null,
  boundTo: string | null,
  lock = '',
): Promise<StoredEndpoint | undefined> {
  return (await manager.query<StoredEndpoint[]>(`${FIND_ONE.text} ${lock}`, [id, boundTo]))[0];
}

const distinct = (types: string[] | null): string[] | null => (types === null ? null : [...new Set(types)]);

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

export function webhooksOff(): Problem {
  return conflict('webhooks_off', 'Webhooks are off: the operator has to set WEBHOOK_SECRET_KEY.');
}

export function tooMany(): Problem {
  const detail = `There are ${MOST_ENDPOINTS} webhook endpoints of this customer, or without one, already. Delete one first.`;
  return conflict('too_many', detail);
}
