// The parameters of an operation that has one or two, each with a rule. Every bad one is reported at once.
import type { Request } from 'express';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type ParameterError } from '../problems/problem.js';
import { quote } from '../problems/quote.js';

/** How many bad parameters are named before the others are only counted. */
const MAX_NAMED = 100;

/** What is wrong with a value. */
type Rule = (value: string) => string | undefined;

export const isFlag: Rule = (value) =>
  value === 'true' || value === 'false' ? undefined : `must be true or false, not ${quote(value)}`;

export function readParameters<Name extends string>(
  request: Request,
  rules: Readonly<Record<Name, Rule>>,
): Partial<Record<Name, string>> {
  const errors: ParameterError[] = [];
  const values: Partial<Record<string, string>> = {};
  for (const [name, value] of Object.entries(request.query)) {
    const detail = faultOf(rules, name, value);
    if (detail !== undefined) errors.push({ parameter: name, detail });
    else if (typeof value === 'string') values[name] = value;
  }
  if (errors.length > 0)
    throw invalidParameters(errors.slice(0, MAX_NAMED), Math.max(errors.length - MAX_NAMED, 0));
  return values;
}

function faultOf(rules: Readonly<Record<string, Rule>>, name: string, value: unknown): string | undefined {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined)
    return `is not a parameter of this operation; ${didYouMean(name, Object.keys(rules))}`;
  return typeof value === 'string' ? rule(value) : 'was sent more than once; send it once';
}
