// API keys, for the API and the command line alike: read by one statement a request, from the primary, since what ended has ended; changed in a
// transaction each. Nobody gives what they have not; taking away is free.
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IS_ACTIVE, newKey } from '../common/auth/api-key.js';
import { DEFAULT_SCOPES, type Scope } from '../common/auth/scope.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { noSuch, Problem } from '../common/problems/problem.js';
import { fieldFault, invalidFields, type FieldFault } from '../common/validation/field-mistakes.js';
import { conflict } from '../common/writes/problems.js';
import { recordActivity } from '../common/writes/activity.js';
import {
  describeActor,
  describeChange,
  RecordedWrites,
  requireConditions,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { customerFault } from '../customers/customer-fault.js';
import { FRESH_READS, isStorable, type Reads, type Statement } from '../platform/database/reads.js';
import { takeLock } from '../platform/schema/locks.js';
import { Transactions } from '../platform/database/transactions.js';
import { ApiKey } from './api-key.entity.js';
import type { ApiKeyInput } from './dto/key.input.js';
import { ApiKeyResponse, taggedKey, toApiKeyResponse } from './dto/key.response.js';
import type { ApiKeyRow, ApiKeyWithSecretResponse } from './dto/key.response.js';

/** Which are still shown. */
const IS_LISTED = `coalesce(least(revoked_at, expires_at), 'infinity') > now() - interval '90 days'`;

const COLUMNS =
  'key.prefix, key.parent, key.name, key.scopes, key.customer_id, key.created_at, key.expires_at, key.revoked_at, key.last_used_at';

const FIND_ONE: Statement = {
  name: 'key_by_prefix',
  text: `
    select ${COLUMNS}, ${IS_ACTIVE} as is_active
    from api_keys key where prefix = $1 and ($2::text is null or customer_id = $2) and ${IS_LISTED}`,
};

/** Its prefix is a key's id. */
const LIST = pageOfFew(
  'keys_page',
  { table: '(select *, prefix as id from api_keys) listed', alias: 'key', columns: COLUMNS },
  `($5::text is null or customer_id = $5) and ${IS_LISTED}`,
);

/** The most keys that work at a time. */
const MOST_OF_CUSTOMER = 100;
const MOST_WITHOUT_CUSTOMER = 1_000;

const LOCK_NEW = takeLock('NEW_KEY');
const COUNT_ACTIVE = `
  select count(*)::integer as n from api_keys key where customer_id is not distinct from $1 and ${IS_ACTIVE}`;

const LIST_ALL = `
  select prefix, name, customer_id as customer, scopes, created_at, expires_at, revoked_at, last_used_at,
         case when revoked_at is not null then 'revoked'
              when expires_at <= now() then 'expired'
              when ${IS_ACTIVE} then 'active'
              else 'customer deleted' end as state
  from api_keys order by created_at, prefix`;

type FoundKey = Omit<ApiKey, 'hash'> & { readonly is_active: boolean };

/** What a key may do and see, and until when. */
export type KeyBounds = Pick<ApiKey, 'name' | 'customer_id' | 'expires_at'> & {
  readonly scopes: readonly Scope[];
};

/** For the command line. */
export interface KeyRecord extends Omit<ApiKey, 'hash' | 'parent' | 'customer_id'> {
  readonly customer: string | null;
  readonly state: 'active' | 'expired' | 'revoked' | 'customer deleted';
}

@Injectable()
export class KeysService {
  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly writes: RecordedWrites,
    private readonly transactions: Transactions,
  ) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<ApiKeyResponse>> {
    const values = [...query.place, boundTo];
    const rows = await this.reads.page<ApiKeyRow & CountedRow>(LIST, values, query.isLarge);
    return pageFromRows(ApiKeyResponse, rows, toApiKeyResponse, query);
  }

  async get(prefix: string, boundTo: string | null): Promise<ApiKeyResponse> {
    const row = await this.reads.firstRow<ApiKeyRow>(FIND_ONE, [prefix, boundTo]);
    if (row === undefined) throw noSuch('key');
    return toApiKeyResponse(row);
  }

  /** For the operator: all of them, the oldest first. */
  listAll(): Promise<KeyRecord[]> {
    return this.transactions.run((manager) => manager.query<KeyRecord[]>(LIST_ALL));
  }

  create(body: ApiKeyInput, writer: Writer): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { name, scopes = DEFAULT_SCOPES, customer_id = writer.customerId, expires_at = null } = body;
      const bounds = { name, scopes, customer_id, expires_at };
      const faults = [...findExcess(bounds, writer), await customerFault(manager, customer_id, writer)];
      const found = faults.filter((fault) => fault !== undefined);
      if (found.length > 0) throw invalidFields(found);
      const isOfKey = writer.kind === 'key' && writer.command === undefined;
      return this.make(manager, bounds, isOfKey ? (writer.parent ?? writer.id) : null);
    });
  }

  /** A new key with the bounds of the old one, which ends after the time it is kept, or earlier if it was to. */
  roll(prefix: string, keepSeconds: number, writer: Writer): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    return this.writes.run(writer, async (manager) => {
      const old = await lock(manager, prefix, writer);
      if (findExcess(old, writer).length > 0) throw hasMore();
      if (!old.is_active) throw keyEnded();
      const end = `update api_keys set expires_at = least(expires_at, date_trunc('milliseconds', now()) + $2 * interval '1 second') where prefix = $1`;
      await manager.query(end, [prefix, keepSeconds]);
      const rolled = {
        type: 'key',
        object_id: prefix,
        object_name: old.name,
        owner_id: old.customer_id,
      } as const;
      await recordActivity(manager, describeActor(writer), [{ ...rolled, operation: 'roll' }]);
      return this.make(manager, old, old.parent ?? prefix);
    });
  }

  /** One that is revoked already stays as it is. */
  revoke(prefix: string, writer: Writer): Promise<WriteResult<ApiKeyResponse>> {
    return this.writes.run(writer, async (manager) => {
      const key = await lock(manager, prefix, writer);
      if (key.revoked_at !== null) return { object: toApiKeyResponse(key) };
      await manager.update(ApiKey, { prefix }, { revoked_at: () => 'now()' });
      const change = describeChange('key', prefix, 'revoke', ['revoked_at'], { ownerId: key.customer_id });
      return { object: await show(manager, prefix), change };
    });
  }

  private async make(
    manager: EntityManager,
    bounds: KeyBounds,
    parent: string | null,
  ): Promise<WriteResult<ApiKeyWithSecretResponse>> {
    await requireRoom(manager, bounds.customer_id);
    const { prefix, secret } = await insertKey(manager, bounds, parent);
    const fields = ['name', 'scopes', 'customer_id', 'expires_at'];
    const change = describeChange('key', prefix, 'create', fields, { ownerId: bounds.customer_id });
    const object = Object.assign(await show(manager, prefix), { secret });
    return { object, change, location: `/v1/keys/${prefix}` };
  }
}

/** One that the writer sees, as its conditions want it. */
async function lock(manager: EntityManager, prefix: string, writer: Writer): Promise<FoundKey> {
  const asked = isStorable(prefix) ? prefix : null;
  const [key] = await manager.query<FoundKey[]>(`${FIND_ONE.text} for update`, [asked, writer.customerId]);
  if (key === undefined) throw noSuch('key');
  requireConditions(writer, 'key', taggedKey(toApiKeyResponse(key)));
  return key;
}

/** One after the other, so that however many are made at once, no more work than may. */
async function requireRoom(manager: EntityManager, customerId: string | null): Promise<void> {
  await manager.query(LOCK_NEW);
  const [row] = await manager.query<{ n: number }[]>(COUNT_ACTIVE, [customerId]);
  const most = customerId === null ? MOST_WITHOUT_CUSTOMER : MOST_OF_CUSTOMER;
  if ((row?.n ?? 0) >= most) throw tooManyKeys();
}

/** Returns the key itself, which is not kept. */
export async function insertKey(
  manager: EntityManager,
  { name, scopes, customer_id, expires_at }: KeyBounds,
  parent: string | null = null,
): Promise<{ prefix: string; secret: string }> {
  const { key: secret, prefix, hash } = newKey();
  const key = { prefix, parent, name, scopes: [...new Set(scopes)], customer_id, expires_at };
  await manager.insert(ApiKey, { ...key, hash });
  return { prefix, secret };
}

async function show(manager: EntityManager, prefix: string): Promise<ApiKeyResponse> {
  return toApiKeyResponse(await manager.findOneByOrFail(ApiKey, { prefix }));
}

/** What a key would have that its giver has not. No end is after any. */
function findExcess({ scopes, expires_at: end }: KeyBounds, giver: Writer): FieldFault[] {
  const more = scopes.filter((scope) => !giver.scopes.includes(scope));
  const lasts = end === null ? Infinity : end.getTime();
  return [
    ...(more.length === 0
      ? []
      : [fieldFault('scopes', 'holds what you do not have yourself', more.join(', '))]),
    ...(lasts <= giver.endsAt
      ? []
      : [fieldFault('expires_at', 'is after your own end', new Date(giver.endsAt).toISOString())]),
  ];
}

export function keyEnded(): Problem {
  const detail = 'This key has ended: it expired, was revoked, or its customer is deleted. Create a new one.';
  return conflict('key_ended', detail);
}

export function tooManyKeys(): Problem {
  const detail = `At most ${MOST_OF_CUSTOMER} keys of a customer work at a time, and ${MOST_WITHOUT_CUSTOMER.toLocaleString('en')} without one. Revoke one first.`;
  return conflict('too_many', detail);
}

function hasMore(): Problem {
  const detail =
    'This key has scopes that you have not, or ends after you do: you cannot give a new one like it.';
  return new Problem({ status: 403, code: 'insufficient_scope', detail });
}
