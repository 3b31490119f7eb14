// What is wrong with the parameters of a request, as a problem that names each of them.
import type { ValidationError } from 'class-validator';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type Problem } from '../problems/problem.js';
import { knownNames, unmarked } from './names.js';

/** How many bad parameters are named before the others are only counted. */
const MAX_NAMED = 100;

/** `dropped`: how many more there are. */
export function parameterProblem(errors: readonly ValidationError[], dropped: number): Problem {
  const named = errors.slice(0, MAX_NAMED).map((error) => ({
    parameter: unmarked(error.property),
    detail: detailOf(error),
  }));
  return invalidParameters(named, errors.length - named.length + dropped);
}

function detailOf({ property, constraints = {}, target }: ValidationError): string {
  if (!('whitelistValidation' in constraints)) return Object.values(constraints).join('; ');
  const known = knownNames(target);
  const hint = known.length === 0 ? 'it has none' : didYouMean(unmarked(property), known);
  return `is not a parameter of this ${known.includes('page') ? 'list' : 'operation'}; ${hint}`;
}
