// Texts of at most 255 characters. What was stored before there was a limit, and what an import brings, may be longer: that stays, and may be
// sent again as it is. So only of a new object, which has no address yet, is it known at once; otherwise what is stored decides.
import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isRecord } from '../bodies/record.js';
import { fault } from './fault.js';
import type { FieldFault } from './field-mistakes.js';
import { fieldRule } from './field-rules.js';
import { AddressId } from './read-only-fields.js';
import { textFault, type TextBounds } from './values.js';

const LIMIT = { max: 255 } as const satisfies TextBounds;

/** Fields with a limit of their own. */
const OTHERS = new Set(['email']);

export const IsLimitedText = (bounds: Pick<TextBounds, 'min'> = {}): PropertyDecorator =>
  fieldRule('isLimitedText', (value, object) => {
    const isNew = !('id' in object) || object.id === undefined;
    return textFault(value, isNew ? { ...bounds, ...LIMIT } : bounds);
  });

/** Says in the document how long the texts of what is sent may be. Not a decorator of the class: the bundler would rename the class. */
export function limitTexts({ prototype }: Type, ...names: string[]): void {
  for (const name of names) ApiProperty({ type: 'string', maxLength: LIMIT.max })(prototype as object, name);
}

/** Texts anywhere in what was sent that are too long, and not stored so. */
export function longTextFaults(sent: object, stored: object | null | undefined): FieldFault[] {
  const kept = new Set(longTexts(stored ?? {}, []).map(({ text }) => text));
  return longTexts(sent, [])
    .filter(({ text, path }) => !kept.has(text) && !OTHERS.has(path.join('.')))
    .map(({ path }) => ({
      pointer: `/${path.join('/')}`,
      ...fault(`${path.join('.')} is longer than ${LIMIT.max} characters`),
    }))
    .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1));
}

function longTexts(value: unknown, path: readonly string[]): { text: string; path: readonly string[] }[] {
  if (typeof value === 'string') return textFault(value, LIMIT) === undefined ? [] : [{ text: value, path }];
  if (value instanceof AddressId || !(isRecord(value) || Array.isArray(value))) return [];
  return Object.entries(value).flatMap(([name, one]) => longTexts(one, [...path, name]));
}
