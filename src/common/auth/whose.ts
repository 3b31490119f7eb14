// Whose things are asked for, by a parameter and the customer a key is bound to.
import { isStorable } from '../../platform/database/text.js';

/** Null for everybody's; '', the id of no customer, for nobody's. */
export function ownerOf(asked: string | undefined, boundTo: string | null): string | null {
  if (asked === undefined) return boundTo;
  return isStorable(asked) && (boundTo === null || boundTo === asked) ? asked : '';
}
