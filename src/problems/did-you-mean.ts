// How to go on after a name that is not known: the known name it was probably meant to be, or all there are.
import { distance } from 'fastest-levenshtein';

/** Names further apart than this are no typo of each other. */
const MAX_EDITS = 3;
/** A longer name is none of ours, and need not be compared to its end. */
const MAX_LENGTH = 50;

export function didYouMean(name: string, known: readonly string[]): string {
  const wanted = name.toLowerCase().slice(0, MAX_LENGTH);
  const near = known
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate) }))
    .toSorted((a, b) => a.edits - b.edits)[0];
  return near !== undefined && near.edits <= MAX_EDITS
    ? `did you mean ${near.candidate}?`
    : `there are: ${known.join(', ')}`;
}
