// What is found as one types, to choose from.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SHORTEST_SEARCH } from '../route.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const SEARCH_AFTER_MS = 300;
const SHOWN = 6;

/** A moment after the last key; undefined while nothing is looked for. */
export function useFound<T>(
  kind: keyof typeof words.form.found,
  text: string,
  find: (text: string, signal: AbortSignal) => Promise<readonly T[]>,
): readonly T[] | undefined {
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isWanted = wanted.length >= SHORTEST_SEARCH && wanted === text;
  const { data, isPrevious } = useFresh(
    isWanted ? ['found', kind, wanted] : undefined,
    (signal) => find(wanted.slice(0, 100), signal),
    { once: true },
  );
  return isWanted && !isPrevious ? data : undefined;
}

interface Props<T> {
  readonly found: readonly T[] | undefined;
  readonly one: keyof typeof words.form.found;
  /** The button that chooses it. */
  readonly children: (item: T) => ComponentChildren;
}

export function FoundList<T>({ found, one, children }: Props<T>) {
  return (
    <div class="found">
      <p role="status" class={found === undefined ? 'for-ears' : 'second'}>
        {found !== undefined && words.form.found[one](found.length)}
        {found !== undefined && found.length > SHOWN && words.form.someOfThem(SHOWN)}
      </p>
      {found?.slice(0, SHOWN).map(children)}
    </div>
  );
}
