// A link to another view of the page: an ordinary link, which also opens in a new tab, but without loading the page anew.
import type { ComponentChildren, JSX } from 'preact';
import { addressOf, go, type Route } from '../route.js';

type Props = Omit<JSX.IntrinsicElements['a'], 'href' | 'onClick'> & {
  readonly to: Route;
  readonly children: ComponentChildren;
};

export function Link({ to, children, ...attributes }: Props) {
  const follow = (event: MouseEvent) => {
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...attributes} href={addressOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
