// The way back, above what is shown, and what else leads away from it.
import type { ComponentChildren } from 'preact';
import type { Route } from '../route.js';
import { Icon } from './icons.js';
import { Link } from './link.js';

interface Props {
  readonly to: Route;
  /** What is there. */
  readonly behind: string;
  readonly children?: ComponentChildren;
}

export function Back({ to, behind, children }: Props) {
  return (
    <div class="above">
      <Link to={to} class="back">
        <Icon name="back" />
        Back to the {behind}
      </Link>
      {children}
    </div>
  );
}
