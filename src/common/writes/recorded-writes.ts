// Changes of customers, tanks, sensors, profiles and webhook endpoints: each a transaction of its own in which it is recorded, and one line
// in the log: who, which object, what was done and the names of the fields, no values.
import {
  createParamDecorator,
  Global,
  Inject,
  Injectable,
  Module,
  type ExecutionContext,
} from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { byCommand, changesBetween, recordActivity } from './activity.js';
import type { Activity, ActivityType, Actor, Changes } from './activity.js';
import { Transactions } from '../../platform/database/transactions.js';
import { currentSpan } from '../../platform/tracing/tracing.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import type { Request } from 'express';
import { callerIn, type Caller } from '../auth/caller.js';
import { createEtag, namesTag } from '../http/etag.js';
import { preconditionFailed } from './problems.js';

export interface Writer extends Caller {
  /** For what is logged of the change. */
  readonly requestId: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Instead of a key: the operator's command, such as `webhooks add`. */
  readonly command?: string;
  /** Instead of a key: a link in a mail, by what it does. */
  readonly link?: string;
}

/** Of a change that no request with a key makes: it sees everything, and has no conditions. */
export const WITHOUT_KEY = {
  kind: 'key',
  name: '',
  parent: null,
  email: null,
  endsAt: Infinity,
  customerId: null,
  scopes: [],
  requestId: '',
  ifMatch: undefined,
  ifNoneMatch: undefined,
} as const;

/** Who changes an object, and on what condition: If-Match and If-None-Match (RFC 9110). Tags are compared weakly. */
export const CurrentWriter = createParamDecorator((_: unknown, context: ExecutionContext): Writer => {
  const { headers, requestId } = context.switchToHttp().getRequest<Request>();
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  return { ...callerIn(context), requestId, ifMatch, ifNoneMatch };
});

/** What is there now, as a GET shows it; undefined when there is nothing. */
export function requireConditions(
  { ifMatch, ifNoneMatch }: Writer,
  kind: string,
  shown: object | undefined,
): void {
  if (ifMatch !== undefined && !names(ifMatch, shown)) throw preconditionFailed(kind);
  if (ifNoneMatch !== undefined && names(ifNoneMatch, shown)) throw preconditionFailed(kind);
}

/** `*` is anything that is not deleted. */
function names(header: string, shown: object | undefined): boolean {
  if (shown === undefined) return false;
  if (header.trim() === '*') return !('deleted' in shown);
  return namesTag(header, createEtag(JSON.stringify(shown)));
}

export interface Change {
  readonly type: ActivityType;
  readonly id: string;
  readonly operation:
    | 'create'
    | 'update'
    | 'restore'
    | 'delete'
    | 'delete_readings'
    | 'roll'
    | 'revoke'
    | 'erase'
    | 'confirm'
    | 'unsubscribe';
  readonly fields: readonly string[];
  /** After the change. */
  readonly ownerId: string | null;
  /** What is updated, restored or deleted, as it was shown. */
  readonly before?: object | undefined;
  /** Where what is recorded is not what the answers before and after differ by. */
  readonly changes?: Changes;
  /** What it is called, where the answer does not show it. */
  readonly name?: string | null;
}

export function describeChange(
  type: Change['type'],
  id: string,
  operation: Change['operation'],
  fields: readonly string[],
  whose: Pick<Change, 'ownerId' | 'before' | 'changes' | 'name'>,
): Change {
  return { type, id, operation, fields, ...whose };
}

export function describeActor({ kind, id: actor, name, email, requestId, command, link }: Writer): Actor {
  if (link !== undefined) return { kind: 'link', actor: link, requestId };
  return command === undefined ? { kind, actor, name, email, requestId } : byCommand(command);
}

/** What is there now. `change` is undefined when it was so before. */
export interface WriteResult<T> {
  readonly object: T;
  readonly change?: Change;
  /** The answer is a 201, though the change makes no new object. */
  readonly isNew?: true;
  /** What its `ETag` names, where that is not the object, or the part of it that its controller's tags name. */
  readonly tagged?: object;
  /** Of a new object: its address, where that is not the one it was sent to with its id. */
  readonly location?: string;
}

/** Of an object that is gone. `before`: as it was shown. */
export function deletion<Type extends ActivityType>(
  type: Type,
  id: string,
  ownerId: string | null,
  before: object,
) {
  const object = { id, object: type, deleted: true } as const;
  return { object, change: describeChange(type, id, 'delete', ['deleted'], { ownerId, before }) };
}

/** What a restoration changes, where nothing else is. */
export const RESTORED: Changes = { deleted: { from: true, to: false } };

@Injectable()
export class RecordedWrites {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** When this resolves, it is committed. */
  async run<T extends object>(
    writer: Writer,
    work: (manager: EntityManager) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    const { kind, id: writerId, requestId } = writer;
    const recorded = async (manager: EntityManager) => {
      const written = await work(manager);
      await recordActivity(manager, describeActor(writer), describeActivity(written));
      return written;
    };
    const written = await this.transactions.run(recorded);
    if (written.change !== undefined) {
      const { type, id, operation, fields } = written.change;
      this.logger.info(
        {
          request_id: requestId,
          trace_id: currentSpan()?.traceId,
          [kind]: writerId,
          type,
          id,
          operation,
          fields,
        },
        `a ${type} was changed`,
      );
    }
    return written;
  }
}

@Global()
@Module({ providers: [RecordedWrites], exports: [RecordedWrites] })
export class WritesModule {}

function describeActivity({ object, change }: WriteResult<object>): Activity[] {
  if (change === undefined || change.operation === 'delete_readings') return []; // which is recorded by what removes them
  const { type, id, operation, ownerId, before } = change;
  const isGone = operation === 'delete' || operation === 'erase';
  const shown = before === undefined || isGone ? {} : changesBetween(before, object);
  const changes = change.changes ?? shown;
  const { name = findName(isGone && before !== undefined ? before : object) } = change;
  return [{ type, object_id: id, object_name: name, owner_id: ownerId, operation, changes }];
}

/** An endpoint is called by its address, without the path: that may hold a secret. */
function findName(shown: { name?: unknown; url?: unknown }): string | null {
  if (typeof shown.url === 'string') return new URL(shown.url).origin;
  return typeof shown.name === 'string' ? shown.name : null;
}

/** The names of the fields that differ, those within another object with its name before them. */
export function changedFields(before: object, next: object): string[] {
  return Object.keys(changesBetween(before, next));
}

/** The same, with the name of the other object only. */
export function changedParts(before: object, next: object): string[] {
  return [...new Set(changedFields(before, next).map((name) => name.split('.', 1)[0] ?? name))];
}

/** updated_at of an object that changes: now by the database's clock, and always after what it was. The last year is 9999. */
export const nextUpdatedAt = (): string => `
  least(greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond'), '9999-12-31 23:59:59.999Z')`;

/** What is left of the personal fields of a customer that was erased, and of its tanks. */
export const ERASED = { name: 'Erased', email: 'erased@invalid' } as const;

const OWN = [
  'id',
  'key',
  'object',
  'created_at',
  'updated_at',
  'deleted',
  'erased',
  'tank_count',
  'search_text',
] as const;
const OWN_NAMES: ReadonlySet<string> = new Set(OWN);

/** What a body gives of an object's fields, or what an object has: without those of the service's own, and what was left out. */
export function storedFields<T extends object>(body: T): Omit<T, (typeof OWN)[number]> {
  const entries = Object.entries(body).filter(([name, value]) => value !== undefined && !OWN_NAMES.has(name));
  return Object.fromEntries(entries) as Omit<T, (typeof OWN)[number]>;
}
