// Decides what a request that writes one customer or tank does to what is stored: the order of refusals, and the change. It asks
// nothing and changes nothing; whoever writes the change makes sure that what was decided upon is still so.
import { isoFromPostgres } from '../datetime/datetime.js';
import { fault } from '../validation/fault.js';
import type { Field, FieldValue } from '../fields/field.js';
import type { FieldFault, JsonRecord, Resource } from '../fields/resource.js';
import { etagOf } from '../http/etag.js';
import { notFound, type Problem } from '../problems/problem.js';
import type { WritingMethod } from './json-body.js';
import { areMet, type Current, type Preconditions } from './preconditions.js';
import { boundKey, idTaken, invalidFields, isDeleted, preconditionFailed } from './problems.js';
import { faultOfNewTime, type SentObject } from './sent-object.js';

export type Wish = {
  /** Undefined for a POST: the service makes it. */
  readonly id: string | undefined;
  /** The customer the key is bound to. */
  readonly boundTo: string | null;
  readonly preconditions: Preconditions;
} & (
  | { readonly method: WritingMethod; readonly sent: SentObject }
  | { readonly method: 'DELETE'; readonly sent?: undefined }
);

/** The columns of an object, and what else a decision depends on. */
export type Found = JsonRecord & {
  /** Of the row; null when there is none. */
  readonly version: string | null;
  readonly deleted: boolean;
  readonly created_at: string;
};

/** What is particular to customers, or to tanks. */
export interface Rules<Shown, Row extends Found & Shown> {
  readonly resource: Resource;
  /** As a GET shows it. */
  readonly show: (row: Shown) => object;
  readonly isVisible: (row: Row, boundTo: string | null) => boolean;
  /** Whether this key may create and restore. */
  readonly mayAdd: (boundTo: string | null) => boolean;
  /** What is wrong with values that are good alone. */
  readonly faults: (found: Row, wish: Wish, next: Values) => readonly FieldFault[];
  /** `before` is undefined when the object is new or was deleted. */
  readonly conflict: (
    found: Row,
    before: Values | undefined,
    next: Values | undefined,
  ) => Problem | undefined;
}

/** By the names of the fields. */
export type Values = Readonly<Record<string, FieldValue>>;

export interface Change {
  readonly operation: 'create' | 'update' | 'restore' | 'delete';
  /** By their names, as PostgreSQL reads them from JSON. */
  readonly columns: Readonly<Record<string, FieldValue>>;
  readonly fields: readonly string[];
  /** The object before and after; undefined while it is not there, or deleted. */
  readonly before: Values | undefined;
  readonly next: Values | undefined;
}

/** Undefined when nothing changes. Throws the first problem that applies. */
export function decide<Shown, Row extends Found & Shown>(
  rules: Rules<Shown, Row>,
  wish: Wish,
  found: Row,
  now: number,
): Change | undefined {
  const { resource } = rules;
  const { object } = resource;
  const stored = found.version !== null && rules.isVisible(found, wish.boundTo) ? found : undefined;
  const isLive = stored?.deleted === false;
  if (stored === undefined && (wish.method === 'PATCH' || wish.method === 'DELETE'))
    throw notFound(`There is no ${object} with this id.`);
  if (!isLive && wish.method === 'PUT' && !rules.mayAdd(wish.boundTo)) throw boundKey();
  if (
    wish.id !== undefined &&
    !areMet(wish.preconditions, stored && currentOf(rules, stored, wish.preconditions))
  )
    throw preconditionFailed(object);
  const known = stored && valuesOf(resource, stored);
  const before = isLive ? known : undefined;
  if (wish.method === 'DELETE') {
    if (!isLive) return undefined;
    const conflict = rules.conflict(found, before, undefined);
    if (conflict !== undefined) throw conflict;
    return { operation: 'delete', columns: { deleted: true }, fields: ['deleted'], before, next: undefined };
  }
  if (wish.method === 'PATCH' && !isLive) throw isDeleted(object);

  const next = merged(resource, known, wish.sent);
  const faults = [...faultsOfTime(stored, wish.sent, now), ...rules.faults(found, wish, next)];
  if (faults.length > 0) throw invalidFields(resource, faults);
  const conflict = rules.conflict(found, before, next);
  if (conflict !== undefined) throw conflict;
  if (found.version !== null && stored === undefined) throw idTaken();

  const changed = resource.fields.filter(
    ({ name }) => next[name] !== (known === undefined ? null : known[name]),
  );
  const columns = Object.fromEntries(changed.map((field) => [field.column, asJson(field, next[field.name])]));
  const fields = changed.map(({ name }) => name);
  if (stored === undefined) {
    const { createdAt } = wish.sent;
    const time = createdAt === undefined ? {} : { created_at: new Date(createdAt).toISOString() };
    return { operation: 'create', columns: { ...columns, ...time }, fields, before, next };
  }
  if (!isLive)
    return {
      operation: 'restore',
      columns: { ...columns, deleted: false },
      fields: ['deleted', ...fields],
      before,
      next,
    };
  return fields.length === 0 ? undefined : { operation: 'update', columns, fields, before, next };
}

/** Only computed where it is asked for. */
function currentOf<Shown>(
  rules: { readonly show: (row: Shown) => object },
  stored: Found & Shown,
  { ifMatch, ifNoneMatch }: Preconditions,
): Current {
  const isAsked = ifMatch !== undefined || ifNoneMatch !== undefined;
  return { etag: isAsked ? etagOf(JSON.stringify(rules.show(stored))) : '', isDeleted: stored.deleted };
}

/** `created_at` of what is there, deleted or not, stays. */
function faultsOfTime(stored: Found | undefined, { createdAt }: SentObject, now: number): FieldFault[] {
  if (stored === undefined) {
    const found = faultOfNewTime(createdAt, now);
    return found === undefined ? [] : [{ pointer: '/created_at', ...found }];
  }
  const shown = isoFromPostgres(stored.created_at);
  if (createdAt === undefined || createdAt === Date.parse(shown)) return [];
  return [{ pointer: '/created_at', ...fault('created_at must stay as it is', shown) }];
}

function valuesOf({ fields }: Resource, row: JsonRecord): Values {
  return Object.fromEntries(fields.map((field) => [field.name, fromPostgres(field, row[field.column])]));
}

/** What was sent, and what is known of the rest. */
function merged({ fields }: Resource, known: Values | undefined, { values }: SentObject): Values {
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = values[name];
      return [name, value === undefined ? (known?.[name] ?? null) : value];
    }),
  );
}

/** Instants are milliseconds, as they are read from requests. */
function fromPostgres({ type }: Field, value: unknown): FieldValue {
  if (type === 'instant' && typeof value === 'string') return Date.parse(isoFromPostgres(value));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

function asJson({ type }: Field, value: FieldValue | undefined): FieldValue {
  return type === 'instant' && typeof value === 'number' ? new Date(value).toISOString() : (value ?? null);
}
