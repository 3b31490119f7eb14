// The view around a form: the way back, its title, and what is said when there is nothing to fill in.
import type { ComponentChildren } from 'preact';
import type { Me } from 'tank-monitoring-client';
import type { Leave } from '../notice.js';
import { Back } from '../parts/back.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { addressOf, type Route } from '../route.js';
import { useFresh, type Fresh } from '../use-fresh.js';
import { words } from '../words/words.js';

/** Of every view with a form. */
export interface FormProps extends ViewProps {
  readonly ownKey: Fresh<Me>;
  readonly onDone: Leave;
}

interface Props<Opened> {
  readonly titleOf: (opened: Opened | undefined) => string;
  readonly back: Route;
  /** What is there. */
  readonly behind: keyof typeof words.backTo;
  readonly kind: 'tank' | 'customer' | 'source';
  readonly ownKey: Fresh<Me>;
  readonly may: boolean;
  /** What it is filled in with at first. Null: there is none. */
  readonly open: (signal: AbortSignal) => Promise<Opened | null>;
  readonly children: (opened: Opened) => ComponentChildren;
}

export function FormFrame<Opened>(props: Props<Opened>) {
  const { titleOf, back, behind, kind, ownKey, may, open, children } = props;
  const fresh = useFresh(may ? ['form', addressOf(back), behind, titleOf(undefined)] : undefined, open, {
    once: true,
  });
  const opened = fresh.data ?? undefined;
  const title = titleOf(opened);
  useTitle(title);
  return (
    <article>
      <Back to={back} behind={behind} />
      <header class="view-head">
        <h1 tabIndex={-1}>{title}</h1>
      </header>
      <TroubleBanner of={[ownKey, fresh]} />
      {ownKey.data !== undefined && !may && (
        <Instead title={words.form.notWithKey}>
          <p>{words.form.needsScope(kind === 'customer' ? 'customers:write' : 'tanks:write')}</p>
        </Instead>
      )}
      {fresh.data === null && (
        <Instead title={words.form.noSuch[kind]}>
          <p>{words.ofThoseSeen}</p>
        </Instead>
      )}
      {opened !== undefined && children(opened)}
    </article>
  );
}
