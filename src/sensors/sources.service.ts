// Sources: read by one statement a request, so that a page and its total are of one snapshot; changed in a transaction each. A key that is
// bound to a customer sees everybody's and its own, and changes its own.
import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { IsNull, type EntityManager } from 'typeorm';
import { hashKey } from '../common/auth/api-key.js';
import type { JsonRecord } from '../common/bodies/record.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew, type CountedRow, type Page } from '../common/pagination/page.js';
import { insufficientScope, noSuch, Problem } from '../common/problems/problem.js';
import { invalidFields } from '../common/validation/field-mistakes.js';
import { longTextFaults } from '../common/validation/limited-text.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import {
  changedFields,
  changedParts,
  describeChange,
  nextUpdatedAt,
  RecordedWrites,
  requireConditions,
} from '../common/writes/recorded-writes.js';
import type { Change, Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { patched, requireGood } from '../common/writes/merge-patch.js';
import { boundKey, idTaken } from '../common/writes/problems.js';
import { customerFault } from '../customers/customer-fault.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import { toRules, SentSource } from './dto/source.input.js';
import { SourceResponse, toSourceResponse } from './dto/source.response.js';
import type {
  DeletedSourceResponse,
  DeletedSourceTokenResponse,
  SourceRow,
  SourceTokenResponse,
} from './dto/source.response.js';
import { noteChangedSource } from './source-catalog.js';
import { Source } from './source.entity.js';
import { isSender } from './uplink.js';
import { takeLock } from '../platform/schema/locks.js';

/** Of a customer, and of no customer. */
const MOST_SOURCES = 100;

const COLUMNS =
  'source.id, source.created_at, source.updated_at, source.name, source.built_in, source.customer_id, source.rules';

const FIND_ONE: Statement = {
  name: 'source_by_id',
  text: `
    select ${COLUMNS} from sources source
    where id = $1 and ($2::text is null or customer_id is null or customer_id = $2)`,
};

const LIST = pageOfFew(
  'sources_page',
  { table: 'sources', alias: 'source', columns: COLUMNS },
  '($5::text is null or customer_id is null or customer_id = $5)',
);

/** One at a time, so that those which count the sources see each other's. */
const LOCK_NEW = takeLock('NEW_SOURCE');

const SAVE_TOKEN = `
  insert into source_tokens (source_id, customer, hash, key_prefix) values ($1, $2, $3, $4)
  on conflict (source_id, customer) do update set hash = excluded.hash, key_prefix = excluded.key_prefix`;
const REMOVE_TOKEN = 'delete from source_tokens where source_id = $1 and customer = $2 returning source_id';

@Injectable()
export class SourcesService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<SourceResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const rows = await this.reads.page<SourceRow & CountedRow>(
      LIST,
      [since, until, skip, size, boundTo],
      isLarge,
    );
    return pageFromRows(SourceResponse, rows, toSourceResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<SourceResponse> {
    const row = await this.reads.firstRow<SourceRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('source');
    return toSourceResponse(row);
  }

  replace(id: string, body: SentSource, writer: Writer): Promise<WriteResult<SourceResponse>> {
    return this.run(writer, async (manager) => {
      const found = await lock(manager, id);
      const stored = isSeen(found, writer) ? found : null;
      requireUnbound(stored, writer);
      requireConditions(writer, 'source', stored === null ? undefined : toSourceResponse(stored));
      return save(manager, id, found, body, writer);
    });
  }

  async patch(id: string, patch: JsonRecord, writer: Writer): Promise<WriteResult<SourceResponse>> {
    await requireGood(SentSource, patch);
    return this.changeOwn(id, writer, async (manager, stored, shown) =>
      save(manager, id, stored, await patched(SentSource, shown, patch), writer),
    );
  }

  /** With it go its tokens. */
  remove(id: string, writer: Writer): Promise<WriteResult<DeletedSourceResponse>> {
    return this.changeOwn(id, writer, async (manager, stored, before) => {
      await manager.delete(Source, { id });
      const object = { id, object: 'source', deleted: true } as const;
      const whose = { ownerId: stored.customer_id, before };
      return { object, change: describeChange('source', id, 'delete', ['deleted'], whose) };
    });
  }

  /** For senders that have only an address. The one before ends. */
  makeToken(id: string, writer: Writer): Promise<WriteResult<SourceTokenResponse>> {
    if (!writer.scopes.includes('telemetry:write')) throw insufficientScope('telemetry:write', writer);
    if (writer.kind !== 'key') throw keyNeeded();
    return this.changeToken(id, writer, async (manager, customer, source) => {
      const token = randomBytes(32).toString('base64url');
      await manager.query(SAVE_TOKEN, [id, customer, hashKey(token), writer.id]);
      const url = `${this.config.publicUrl ?? ''}/v1/uplinks/sources/${id}/${token}`;
      const change = tokenChange(source, 'roll', writer);
      return { object: { object: 'source_token', url }, isNew: true, change };
    });
  }

  removeToken(id: string, writer: Writer): Promise<WriteResult<DeletedSourceTokenResponse>> {
    return this.changeToken(id, writer, async (manager, customer, source) => {
      const [removed] = await manager.query<[unknown[], number]>(REMOVE_TOKEN, [id, customer]);
      const object = { object: 'source_token', deleted: true } as const;
      return removed.length === 0 ? { object } : { object, change: tokenChange(source, 'update', writer) };
    });
  }

  private changeOwn<T extends object>(
    id: string,
    writer: Writer,
    work: (manager: EntityManager, stored: Source, shown: SourceResponse) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    return this.run(writer, async (manager) => {
      const stored = await lockSeen(manager, id, writer);
      const shown = toSourceResponse(stored);
      requireUnbound(stored, writer);
      requireConditions(writer, 'source', shown);
      if (stored.built_in) throw builtIn();
      return work(manager, stored, shown);
    });
  }

  /** `customer`: whose token it is, '' for none's. */
  private changeToken<T extends object>(
    id: string,
    writer: Writer,
    work: (manager: EntityManager, customer: string, source: Source) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    return this.run(writer, async (manager) => {
      const source = await lockSeen(manager, id, writer);
      requireConditions(writer, 'source', toSourceResponse(source));
      return work(manager, source.customer_id ?? writer.customerId ?? '', source);
    });
  }

  private async run<T extends object>(
    writer: Writer,
    work: (manager: EntityManager) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    const written = await this.writes.run(writer, work);
    noteChangedSource();
    return written;
  }
}

function lock(manager: EntityManager, id: string): Promise<Source | null> {
  return manager.findOne(Source, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

async function lockSeen(manager: EntityManager, id: string, writer: Writer): Promise<Source> {
  const found = isStorable(id) ? await lock(manager, id) : null;
  if (found === null || !isSeen(found, writer)) throw noSuch('source');
  return found;
}

function isSeen(source: Source | null, { customerId: boundTo }: Writer): boolean {
  return source === null || boundTo === null || source.customer_id === null || source.customer_id === boundTo;
}

/** Everybody's are not changed with a bound key. */
function requireUnbound(stored: Source | null, { customerId: boundTo }: Writer): void {
  if (boundTo !== null && stored?.customer_id === null) throw boundKey();
}

/** `found`: also one that the key does not see, which keeps its id. */
async function save(
  manager: EntityManager,
  id: string,
  found: Source | null,
  body: SentSource,
  writer: Writer,
): Promise<WriteResult<SourceResponse>> {
  const stored = isSeen(found, writer) ? found : null;
  const faults = [...createdAtFaults(body.created_at, stored?.created_at), ...longTextFaults(body, stored)];
  if (faults.length > 0) throw invalidFields(faults);
  const customerId = body.customer_id === undefined ? writer.customerId : body.customer_id;
  const unknown = await customerFault(manager, customerId, writer);
  if (unknown !== undefined) throw invalidFields([unknown]);
  if (stored?.built_in === true) throw builtIn();
  if (found !== stored || isSender(id)) throw idTaken();
  if (stored === null || stored.customer_id !== customerId) await requireRoom(manager, customerId);

  const next = { name: body.name, customer_id: customerId, rules: toRules(body) };
  const before = stored === null ? undefined : toSourceResponse(stored);
  if (before === undefined) {
    const created = body.created_at === undefined ? {} : { created_at: body.created_at };
    await manager.insert(Source, { id, ...next, ...created });
  } else {
    const same = toSourceResponse(Object.assign({}, stored, next));
    if (changedFields(before, same).length === 0) return { object: before };
    await manager.update(Source, { id }, { ...next, updated_at: nextUpdatedAt });
  }
  const object = toSourceResponse(await manager.findOneByOrFail(Source, { id }));
  const operation = before === undefined ? 'create' : 'update';
  const whose = { ownerId: customerId, before };
  return {
    object,
    change: describeChange('source', id, operation, changedParts(before ?? {}, object), whose),
  };
}

async function requireRoom(manager: EntityManager, customerId: string | null): Promise<void> {
  await manager.query(LOCK_NEW);
  const where = { customer_id: customerId ?? IsNull(), built_in: false };
  if ((await manager.countBy(Source, where)) >= MOST_SOURCES) throw tooMany();
}

function tokenChange(source: Source, operation: 'roll' | 'update', { customerId }: Writer): Change {
  const { id, name, customer_id: ownerId } = source;
  return { ...describeChange('source', id, operation, ['token'], { ownerId: ownerId ?? customerId }), name };
}

/** A token ends with the key that made it. */
function keyNeeded(): Problem {
  const detail = 'Make the address with an API key, or signed in with one: it ends with that key.';
  return new Problem({ status: 403, code: 'key_needed', detail });
}

export function builtIn(): Problem {
  const detail = 'This source came with the service. Put a copy under another id, and change that.';
  return new Problem({ status: 409, code: 'built_in', detail });
}

export function tooMany(): Problem {
  const detail = `There are ${MOST_SOURCES} sources of this customer, or without one, already. Delete one first.`;
  return new Problem({ status: 409, code: 'too_many', detail });
}
