// A hint for an unknown name: the known name that was probably meant, or all of them.
import { distance } from 'fastest-levenshtein';

/** No name of ours is longer. */
const MAX_LENGTH = 50;

export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `there are: ${known.join(', ')}` : `did you mean ${near}?`;
}

/** The one that was probably meant, if there is one; upper and lower case do not matter. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  return known
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => isTypo(wanted, candidate.toLowerCase(), edits))
    .toSorted((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** Near in spelling: otherwise `sort` would be taken for `size`, and `updated_at_gte` for `created_at_gte`. */
function isTypo(wanted: string, candidate: string, edits: number): boolean {
  const shorter = Math.min(wanted.length, candidate.length);
  const onlyAddsOrOmits = edits === Math.abs(wanted.length - candidate.length);
  if (onlyAddsOrOmits) return edits <= 3 && edits < shorter;
  if (edits === 2 && sorted(wanted) === sorted(candidate)) return true; // two letters swapped
  return edits <= (shorter < 6 ? 1 : 2);
}

function sorted(text: string): string {
  return Array.from(text).toSorted().join('');
}
