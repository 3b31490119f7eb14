// Above a list: how much was found, and the way to its other pages.
import type { ComponentChildren } from 'preact';
import type { Route } from '../route.js';
import { Pager, type Pages } from './pager.js';
import { words } from '../words/words.js';

interface Props {
  /** Undefined while it is on its way. */
  readonly list: Pages | undefined;
  readonly said: string | undefined;
  readonly route: Route;
  readonly children?: ComponentChildren;
}

export function Summary({ list, said, route, children }: Props) {
  return (
    <div class="summary">
      <p role="status">{said ?? words.loading}</p>
      {children}
      {list !== undefined && <Pager list={list} route={route} label={words.page.pages} />}
    </div>
  );
}
