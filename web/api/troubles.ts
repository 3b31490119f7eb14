// What can go wrong with a request: the service says so (a problem), or nothing comes back at all; and what may come back in parts.
import { ConnectionError, ProblemError } from 'tank-monitoring-client';
import { words } from '../words/words.js';

export type Trouble = ProblemError | ConnectionError;

export function isTrouble(error: unknown): error is Trouble {
  return error instanceof ProblemError || error instanceof ConnectionError;
}

export function detailOf(trouble: Trouble): string {
  if (!(trouble instanceof ProblemError)) return words.trouble.notReached;
  return words.trouble.byCode[trouble.code] ?? trouble.detail;
}

/** What the service says in English, as far as the reader's language has it. */
export function translated(said: string, { sentences } = words.trouble): string {
  return sentences.reduce((text, [theirs, ours]) => text.replace(theirs, ours), said);
}

/** Why an attempt failed or something is off, which another machine may have said. */
export function reasonOf(said: string | null, inWords = words.trouble): string {
  const told = translated(said ?? '', inWords);
  return said === told ? inWords.inItsWords(said) : told;
}

/** What is not there is an answer, too. */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}

/** All pages of a list. */
export async function everyOne<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
