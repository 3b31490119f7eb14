// What a visitor entered and what somebody else stored meanwhile, brought together.
import { NAMES, valuesBy, type FieldName, type Values } from './fields.js';

export interface Difference {
  readonly name: FieldName;
  readonly yours: string;
  readonly stored: string;
}

/** What the visitor left alone follows what is stored; what they entered stays, until they choose. */
export function merge(base: Values, yours: Values, stored: Values): Values {
  return valuesBy((name) => (yours[name] === base[name] ? stored[name] : yours[name]));
}

/** The fields that somebody else changed to something other than the visitor has. */
export function differencesOf(base: Values, yours: Values, stored: Values): Difference[] {
  return NAMES.filter((name) => stored[name] !== base[name] && stored[name] !== yours[name]).map((name) => ({
    name,
    yours: yours[name],
    stored: stored[name],
  }));
}

export function changedIn(values: Values, base: Values): FieldName[] {
  return NAMES.filter((name) => values[name] !== base[name]);
}
