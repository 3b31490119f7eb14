// For operations without parameters: one that is sent is refused, not ignored.
import type { Request } from 'express';
import { invalidParameters } from '../problems/problem.js';

const MAX_NAMED = 100;
const DETAIL = 'is not a parameter of this operation; it has none';

export function refuseParameters(request: Request): void {
  const names = Object.keys(request.query);
  if (names.length === 0) return;
  const errors = names.slice(0, MAX_NAMED).map((parameter) => ({ parameter, detail: DETAIL }));
  throw invalidParameters(errors, names.length - errors.length);
}
