// A link to another view of the page: an ordinary link, which also opens in a new tab, but without loading the page anew.
import type { ComponentChildren, JSX } from 'preact';
import { addressOf, go, type Route } from '../route.js';
import { Icon } from './icons.js';
import { words } from '../words/words.js';

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

interface BackProps {
  readonly to: Route;
  /** What is there. */
  readonly behind: keyof typeof words.backTo;
  readonly children?: ComponentChildren;
}

/** The way back, above what is shown, and what else leads away from it. */
export function Back({ to, behind, children }: BackProps) {
  return (
    <div class="above">
      <Link to={to} class="back">
        <Icon name="back" />
        {words.backTo[behind]}
      </Link>
      {children}
    </div>
  );
}
