// The view around a form: the way back, its title, and what is said when there is nothing to fill in.
import type { ComponentChildren } from 'preact';
import { usePage } from '../page.js';
import { Instead } from '../parts/trouble.js';
import { View } from '../parts/view.js';
import { addressOf, type Route } from '../route.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

interface Props<Opened> {
  readonly titleOf: (opened: Opened | undefined) => string;
  readonly back: Route;
  /** What is there. */
  readonly behind: keyof typeof words.backTo;
  readonly kind: 'tank' | 'customer' | 'source';
  readonly may: boolean;
  /** What it is filled in with at first. Null: there is none. */
  readonly open: (signal: AbortSignal) => Promise<Opened | null>;
  readonly children: (opened: Opened) => ComponentChildren;
}

export function FormFrame<Opened>(props: Props<Opened>) {
  const { titleOf, back, behind, kind, may, open, children } = props;
  const { ownKey } = usePage();
  const fresh = useFresh(may ? ['form', addressOf(back), behind, titleOf(undefined)] : undefined, open, {
    once: true,
  });
  const opened = fresh.data ?? undefined;
  return (
    <View title={titleOf(opened)} back={back} behind={behind} fresh={[ownKey, fresh]} isTimed={false}>
      {!may && (
        <Instead
          title={words.form.notWithKey}
          note={words.form.needsScope(kind === 'customer' ? 'customers:write' : 'tanks:write')}
        />
      )}
      {fresh.data === null && <Instead title={words.form.noSuch[kind]} note={words.ofThoseSeen} />}
      {opened !== undefined && children(opened)}
    </View>
  );
}
