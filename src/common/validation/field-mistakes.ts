// What is wrong with the fields of a body, as a problem that points at each of them.
import type { ValidationError } from 'class-validator';
import { didYouMean } from '../problems/did-you-mean.js';
import { Problem } from '../problems/problem.js';
import { fault, MAX_FAULTS, writeMessage, quote, type Fault } from './fault.js';
import { knownNames, unmarked } from './names.js';

/** The pointer (RFC 6901) is where the fault is. */
export type FieldFault = Fault & { readonly pointer: string };

export function invalidFields(faults: readonly FieldFault[]): Problem {
  const errors = faults
    .slice(0, MAX_FAULTS)
    .map((found) => ({ pointer: found.pointer, detail: writeMessage(found) }));
  const these = errors.length === 1 ? 'this field' : 'these fields';
  const detail = `Nothing was changed. Fix ${these} and try again: ${errors.map(({ pointer }) => pointer).join(', ')}.`;
  return new Problem({ status: 400, code: 'invalid_fields', detail, errors });
}

/** `name` is that of a field of the object itself. */
export function fieldFault(name: string, reason: string, detail = ''): FieldFault {
  return { pointer: `/${name}`, ...fault(`${name} ${reason}`, detail) };
}

/** One a field, in the order in which the API shows the fields; unknown ones last. */
export function findFieldFaults(errors: readonly ValidationError[]): FieldFault[] {
  const faults = inOrder(errors).flatMap((error) => faultsAt(error, []));
  return [...faults.filter(({ isUnknown }) => !isUnknown), ...faults.filter(({ isUnknown }) => isUnknown)];
}

type Found = FieldFault & { readonly isUnknown: boolean };

function faultsAt(error: ValidationError, outer: readonly string[]): Found[] {
  const { property, constraints = {}, children = [], target } = error;
  const path = [...outer, unmarked(property)];
  const name = path.join('.');
  const pointer = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  if ('whitelistValidation' in constraints) {
    const known = knownNames(target).map((one) => [...outer, one].join('.'));
    const detail = `${quote(name)}; ${didYouMean(name, known)}`;
    return [{ pointer, isUnknown: true, ...fault('unknown field', detail) }];
  }
  const { nestedValidation, ...own } = constraints;
  const [message] = Object.values(own);
  if (message !== undefined) return [{ pointer, isUnknown: false, ...faultFrom(`${name} ${message}`) }];
  if (nestedValidation !== undefined)
    return [{ pointer, isUnknown: false, ...fault(`${name} ${nestedValidation}`, quote(error.value)) }];
  return inOrder(children).flatMap((child) => faultsAt(child, path));
}

function inOrder(errors: readonly ValidationError[]): ValidationError[] {
  const known = knownNames(errors[0]?.target);
  const place = ({ property }: ValidationError) =>
    known.includes(property) ? known.indexOf(property) : Infinity;
  return errors.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** A message of our rules: the reason, then what was sent. */
function faultFrom(message: string): Fault {
  const end = message.indexOf(': ');
  return end === -1 ? fault(message) : fault(message.slice(0, end), message.slice(end + 2));
}
