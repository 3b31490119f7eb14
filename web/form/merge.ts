// What a visitor entered and what somebody else stored meanwhile, brought together.
import type { Texts } from './field.js';
import type { FieldName, Values } from './fields.js';

export interface Difference {
  readonly name: FieldName;
  readonly yours: string;
  readonly stored: string;
}

export function changedIn<Name extends string>(values: Texts<Name>, base: Texts<Name>): Name[] {
  return (Object.keys(values) as Name[]).filter((name) => values[name] !== base[name]);
}

/** What the visitor left alone follows what is stored; what they entered stays, until they choose. */
export function merge<Name extends string>(base: Texts<Name>, yours: Texts<Name>, stored: Texts<Name>) {
  const entered = changedIn(yours, base).map((name) => [name, yours[name]]);
  return { ...stored, ...(Object.fromEntries(entered) as Partial<Texts<Name>>) };
}

/** The fields that somebody else changed to something other than the visitor has. */
export function differencesOf(base: Values, yours: Values, stored: Values): Difference[] {
  return changedIn(stored, base)
    .filter((name) => stored[name] !== yours[name])
    .map((name) => ({ name, yours: yours[name], stored: stored[name] }));
}
