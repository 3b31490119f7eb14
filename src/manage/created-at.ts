// created_at of what is written: it may be chosen for a new object, and then stays.
import { fieldFault, type FieldFault } from '../validation/field-mistakes.js';
import { quote } from '../problems/quote.js';

const MAX_AHEAD_MS = 5 * 60_000;
export const AHEAD = 'is more than 5 minutes ahead of our clock';

export function isAhead(time: Date): boolean {
  return time.getTime() > Date.now() + MAX_AHEAD_MS;
}

/** `stored`: of what is there, deleted or not. */
export function createdAtFaults(sent: Date | undefined, stored: Date | undefined): FieldFault[] {
  if (sent === undefined) return [];
  if (stored === undefined) return isAhead(sent) ? [fieldFault('created_at', AHEAD, quote(sent))] : [];
  if (sent.getTime() === stored.getTime()) return [];
  return [fieldFault('created_at', 'must stay as it is', stored.toISOString())];
}
