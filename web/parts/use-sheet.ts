// A sheet of its own for the printer.
import { render, type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What is printed is there only while it is, instead of all else: thousands of rows would slow down the page. At once, since the browser does not wait. */
export function useSheet(made: () => VNode | null): void {
  const latest = useRef(made);
  latest.current = made;
  useEffect(() => {
    const left = new AbortController();
    const paper = document.createElement('div');
    paper.className = 'paper';
    const show = () => {
      document.body.append(paper);
      render(latest.current(), paper);
    };
    const remove = () => {
      render(null, paper);
      paper.remove();
    };
    addEventListener('beforeprint', show, { signal: left.signal });
    addEventListener('afterprint', remove, { signal: left.signal });
    left.signal.addEventListener('abort', remove);
    return () => left.abort();
  }, []);
}
