// What a request says of an object, checked as far as the request alone shows. The rules of the fields are those of the import;
// here are those of what belongs to the service: id, object, created_at, deleted.
import { fault, type Fault } from '../validation/fault.js';
import { isFault, readInstant, readText, type FieldValue } from '../fields/field.js';
import { ID, readObject, readPatch, type JsonRecord, type Resource } from '../fields/resource.js';
import { quote } from '../problems/quote.js';
import type { WritingMethod } from './json-body.js';
import { invalidFields } from './problems.js';

export interface SentObject {
  /** By the names of the fields; undefined is one that stays as it is. */
  readonly values: Readonly<Partial<Record<string, FieldValue>>>;
  /** Milliseconds since 1970; undefined when it was not sent. */
  readonly createdAt: number | undefined;
}

const MAX_AHEAD_MS = 5 * 60_000;

/** `id` is the address's; a POST has none. Throws when anything is wrong. */
export function readSent(
  resource: Resource,
  method: WritingMethod,
  id: string | undefined,
  body: JsonRecord,
  now: number,
): SentObject {
  const { values, faults } =
    method === 'PATCH' ? readPatch(resource, body) : readObject(resource, body, 'request');
  const add = (pointer: string, found: Fault | undefined): void => {
    if (found !== undefined) faults.push({ pointer, ...found });
  };
  const createdAt =
    body['created_at'] === undefined ? undefined : readInstant('created_at', body['created_at']);
  add('/id', faultOfId(method, id, body['id']));
  if ((body['object'] ?? resource.object) !== resource.object || body['object'] === null)
    add('/object', fault(`object must be ${resource.object}`, quote(body['object'])));
  if (createdAt !== undefined && isFault(createdAt)) add('/created_at', createdAt);
  else if (method === 'POST') add('/created_at', faultOfNewTime(createdAt, now));
  if ((body['deleted'] ?? false) !== false || body['deleted'] === null)
    add('/deleted', fault('deleted must be false or left out, a DELETE deletes', quote(body['deleted'])));
  if (faults.length > 0) throw invalidFields(resource, faults);
  return {
    values: Object.fromEntries(resource.fields.map(({ name }, i) => [name, values[i]])),
    createdAt: createdAt !== undefined && isFault(createdAt) ? undefined : createdAt,
  };
}

/** For an object that is new. */
export function faultOfNewTime(createdAt: number | undefined, now: number): Fault | undefined {
  if (createdAt === undefined || createdAt <= now + MAX_AHEAD_MS) return undefined;
  const shown = quote(new Date(createdAt).toISOString());
  return fault('created_at is more than 5 minutes ahead of our clock', shown);
}

function faultOfId(method: WritingMethod, id: string | undefined, sent: unknown): Fault | undefined {
  if (id === undefined)
    return sent === undefined
      ? undefined
      : fault('id is made by the service; to choose it yourself, PUT the object to its address', quote(sent));
  const own = method === 'PUT' ? readText('id', id, ID) : id; // others find no such object
  if (isFault(own)) return own;
  return sent === undefined || sent === id ? undefined : fault('id must be that of the address', quote(sent));
}
