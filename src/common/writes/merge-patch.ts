// PATCH as RFC 7396 says: what is sent is merged with what is there, and the result is checked as a PUT of it would be.
import type { Type } from '@nestjs/common';
import { isRecord, type JsonRecord } from '../bodies/record.js';
import { Problem } from '../problems/problem.js';
import { fault } from '../validation/fault.js';
import { invalidFields } from '../validation/field-mistakes.js';
import { InputValidationPipe } from '../validation/validation.pipe.js';

const validation = new InputValidationPipe();

/** `id`: of the address, which is no part of what is merged. */
function check<T>(type: Type<T>, body: unknown, id: unknown): Promise<T> {
  const whole = { ...(body as JsonRecord), ...(id === undefined ? {} : { id }) };
  return validation.transform(whole, { type: 'body', metatype: type }) as Promise<T>;
}

/** What is wrong with a body, by its pointer. */
async function faultsIn(type: Type, body: unknown, id: unknown): Promise<Map<string, string>> {
  try {
    await check(type, body, id);
    return new Map();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const found = (error.errors ?? []).filter(isRecord);
    return new Map(found.map(({ pointer, detail }) => [String(pointer), String(detail)]));
  }
}

const isLacking = (detail: string | undefined) => detail?.endsWith(' is missing') === true;

/** Refuses what is wrong with it whatever is there. What is null is taken away, if it may be left out. */
export async function requireGood(type: Type, { id, ...patch }: JsonRecord): Promise<void> {
  const [sent, left] = [await faultsIn(type, patch, id), await faultsIn(type, merged({}, patch), id)];
  const nulls = new Set(nullsIn(patch));
  const mayBeNull = (pointer: string, detail: string) =>
    nulls.has(pointer) && !isLacking(left.get(pointer)) && !detail.startsWith('unknown field');
  const faults = [...sent]
    .filter(([pointer, detail]) => !isLacking(detail) && !mayBeNull(pointer, detail))
    .map(([pointer, detail]) => ({ pointer, ...fault(detail) }));
  if (faults.length > 0) throw invalidFields(faults);
}

function nullsIn(value: JsonRecord, outer = ''): string[] {
  return Object.entries(value).flatMap(([name, one]) => {
    const pointer = `${outer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return one === null ? [pointer] : isRecord(one) ? nullsIn(one, pointer) : [];
  });
}

/** `shown`: what is there, as a GET shows it. */
export function patched<T>(type: Type<T>, shown: object, { id, ...patch }: JsonRecord): Promise<T> {
  const { id: _, ...fields } = JSON.parse(JSON.stringify(shown)) as JsonRecord; // without what is undefined
  return check(type, merged(fields, patch), id);
}

function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const old = isRecord(target) ? target : {};
  const before = Object.entries(old).filter(([name]) => !Object.hasOwn(patch, name));
  const given = Object.entries(patch).filter(([, value]) => value !== null);
  return Object.fromEntries([
    ...before,
    ...given.map(([name, value]) => [name, merged(Object.hasOwn(old, name) ? old[name] : undefined, value)]),
  ]);
}
