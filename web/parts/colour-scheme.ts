// A canvas does not follow the style sheet by itself.
import { useEffect, useState } from 'preact/hooks';

const QUERIES = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

/** Changes when a canvas has to be drawn anew. */
export function useColourScheme(): string {
  const [scheme, setScheme] = useState('');
  useEffect(() => {
    const left = new AbortController();
    const queries = QUERIES.map((query) => matchMedia(query));
    const read = () => setScheme(queries.map(({ matches }) => matches).join());
    for (const query of queries) query.addEventListener('change', read, { signal: left.signal });
    return () => left.abort();
  }, []);
  return scheme;
}
