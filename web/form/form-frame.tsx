// The view around a form: the way back, its title, and what is said when there is nothing to fill in.
import type { ComponentChildren } from 'preact';
import type { Key } from 'tank-monitoring-client';
import { Back } from '../parts/back.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { Route } from '../route.js';
import type { Fresh } from '../use-fresh.js';

interface Props {
  readonly title: string;
  readonly back: Route;
  /** What is there. */
  readonly behind: string;
  readonly kind: 'tank' | 'customer';
  readonly ownKey: Fresh<Key>;
  readonly may: boolean;
  /** Null: there is none. */
  readonly opened: Fresh<unknown>;
  readonly children: ComponentChildren;
}

export function FormFrame({ title, back, behind, kind, ownKey, may, opened, children }: Props) {
  useTitle(title);
  return (
    <article>
      <Back to={back} behind={behind} />
      <header class="view-head">
        <h1 tabIndex={-1}>{title}</h1>
      </header>
      <TroubleBanner of={[ownKey, opened]} />
      {ownKey.data !== undefined && !may && (
        <Instead title="Not with this key">
          <p>
            This needs a key with the scope <code>{kind}s:write</code>, where the service takes changes.
          </p>
        </Instead>
      )}
      {opened.data === null && (
        <Instead title={`No such ${kind}`}>
          <p>It was deleted, or is not among those your key sees.</p>
        </Instead>
      )}
      {children}
    </article>
  );
}
