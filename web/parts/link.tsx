// A link to another view of the page: an ordinary link, which also opens in a new tab, but without loading the page anew.
import type { ComponentChildren, JSX } from 'preact';
import { addressOf, go, type Route } from '../route.js';

type Props = Omit<JSX.IntrinsicElements['a'], 'href' | 'onClick'> & {
  readonly to: Route;
  readonly children: ComponentChildren;
};

export function Link({ to, children, ...attributes }: Props) {
  return (
    <a {...attributes} href={addressOf(to)} onClick={(event) => follow(event, to)}>
      {children}
    </a>
  );
}

/** What asks for a new tab is left to the browser. */
export function follow(event: MouseEvent, to: Route): void {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain) return;
  event.preventDefault();
  go(to);
}
