// A sheet of its own for the printer.
import { render, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What is printed is there only while it is: thousands of rows would slow down all else. At once, since the browser does not wait. */
export function useSheet(made: () => VNode | null) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(made);
  latest.current = made;
  useEffect(() => {
    const left = new AbortController();
    const show = (content: VNode | null) => place.current && render(content, place.current);
    addEventListener('beforeprint', () => show(latest.current()), { signal: left.signal });
    addEventListener('afterprint', () => show(null), { signal: left.signal });
    return () => left.abort();
  }, []);
  return place;
}
