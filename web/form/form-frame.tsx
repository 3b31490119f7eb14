// The view around a form: the way back, its title, and what is said when there is nothing to fill in.
import type { ComponentChildren } from 'preact';
import type { Key } from 'tank-monitoring-client';
import { Back } from '../parts/back.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { Route } from '../route.js';
import { mayChangeTanks } from '../session.js';
import type { Fresh } from '../use-fresh.js';

interface Props {
  readonly title: string;
  readonly back: Route;
  /** What is there. */
  readonly behind: string;
  readonly ownKey: Fresh<Key>;
  /** Null: there is no such tank. */
  readonly opened: Fresh<unknown>;
  readonly children: ComponentChildren;
}

export function FormFrame({ title, back, behind, ownKey, opened, children }: Props) {
  useTitle(title);
  return (
    <article>
      <Back to={back} behind={behind} />
      <header class="view-head">
        <h1 tabIndex={-1}>{title}</h1>
      </header>
      <TroubleBanner of={[ownKey, opened]} />
      {ownKey.data !== undefined && !mayChangeTanks(ownKey.data) && (
        <Instead title="Not with this key">
          <p>
            Tanks are changed by a key with the scope <code>tanks:write</code>, where the service takes
            changes.
          </p>
        </Instead>
      )}
      {opened.data === null && (
        <Instead title="No such tank">
          <p>There is no such tank among those your key sees, or it was deleted.</p>
        </Instead>
      )}
      {children}
    </article>
  );
}
