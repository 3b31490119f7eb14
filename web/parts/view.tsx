// The frame around every view.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { START, type Route } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import { Button } from './button.js';
import { Back } from './link.js';
import { Instead, TroubleBanner } from './trouble.js';
import { AsOf } from './when.js';
import { words } from '../words/words.js';

/** A view that waits behind another one, as it was left, while that is shown. */
export interface ListViewProps {
  readonly isBehind: boolean;
}

interface Props {
  readonly title: string;
  /** What the tab says: the title, unless given; null: just what the page is called. */
  readonly tab?: string | null;
  /** Below the title. */
  readonly under?: string;
  readonly back?: Route;
  readonly behind?: keyof typeof words.backTo;
  /** What is shown: the troubles of all of it, and the age of the first. */
  readonly fresh: readonly [Fresh<unknown>, ...Fresh<unknown>[]];
  readonly isTimed?: boolean;
  readonly isBehind?: boolean;
  readonly class?: string;
  /** Beside the way back. */
  readonly beside?: ComponentChildren;
  /** Beside the title. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function View({ title, tab = title, under, fresh, isTimed = true, isBehind = false, ...more }: Props) {
  useTitle(isBehind ? null : tab);
  const heading = <h1 tabIndex={-1}>{title}</h1>;
  return (
    <article class={more.class} hidden={isBehind}>
      <Back to={more.back ?? START} behind={more.behind ?? 'fleet'}>
        {more.beside}
      </Back>
      <header class="view-head">
        {under === undefined ? (
          heading
        ) : (
          <hgroup>
            {heading}
            <p>{under}</p>
          </hgroup>
        )}
        {more.action}
        {isTimed && <AsOf fresh={fresh[0]} />}
      </header>
      <TroubleBanner of={fresh} />
      {more.children}
    </article>
  );
}

/** The tab says what it shows. */
function useTitle(name: string | null): void {
  useEffect(() => {
    document.title = name === null ? words.views.fleet : `${name} – ${words.views.fleet}`;
    return () => {
      document.title = words.views.fleet;
    };
  }, [name]);
}

interface WasDeletedProps {
  readonly title: string;
  /** What the button says; undefined: this visitor may not. */
  readonly label: string | undefined;
  readonly onRestore: () => Promise<void>;
  readonly children?: ComponentChildren;
}

/** In place of a tank or customer that was deleted: a way to bring it back as it was. */
export function WasDeleted({ title, label, onRestore, children }: WasDeletedProps) {
  const { trouble, attempt } = useAttempt();
  return (
    <>
      <FailureBanner trouble={trouble} />
      <Instead title={title} note={children}>
        {label !== undefined && (
          <Button class="main-action" onClick={() => void attempt(onRestore)}>
            {label}
          </Button>
        )}
      </Instead>
    </>
  );
}
