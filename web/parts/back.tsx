// The way back, above what is shown, and what else leads away from it.
import type { ComponentChildren } from 'preact';
import type { Route } from '../route.js';
import { Icon } from './icons.js';
import { Link } from './link.js';
import { words } from '../words/words.js';

interface Props {
  readonly to: Route;
  /** What is there. */
  readonly behind: keyof typeof words.backTo;
  readonly children?: ComponentChildren;
}

export function Back({ to, behind, children }: Props) {
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
