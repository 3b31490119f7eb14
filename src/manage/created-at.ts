// created_at of what is written: it may be chosen for a new object, and then stays.
import { quote } from '../problems/quote.js';
import { fieldFault, type FieldFault } from '../validation/field-mistakes.js';
import { AHEAD, isAhead } from '../validation/own-fields.js';

/** `stored`: of what is there, deleted or not. */
export function createdAtFaults(sent: Date | undefined, stored: Date | undefined): FieldFault[] {
  if (sent === undefined) return [];
  if (stored === undefined) return isAhead(sent) ? [fieldFault('created_at', AHEAD, quote(sent))] : [];
  if (sent.getTime() === stored.getTime()) return [];
  return [fieldFault('created_at', 'must stay as it is', stored.toISOString())];
}
