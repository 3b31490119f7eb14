// What is said when something goes wrong: what happened, how old the figures are that are still shown, and when it is tried
// again. The seconds are counted for the eye only; a screen reader hears the message once.
import type { ComponentChildren } from 'preact';
import { ConnectionError } from 'tank-monitoring-client';
import { detailOf, type Trouble } from '../api/troubles.js';
import type { Fresh } from '../use-fresh.js';
import { Button } from './button.js';
import { Icon } from './icons.js';
import { ago, useNow } from './when.js';
import { words } from '../words/words.js';

/** Of several that are shown together the first that is in trouble speaks for all. */
export function TroubleBanner({ of }: { readonly of: readonly Fresh<unknown>[] }) {
  const fresh = of.find(({ trouble }) => trouble !== undefined);
  if (fresh?.trouble === undefined) return null;
  const retry = () => {
    for (const { trouble, retry: again } of of) if (trouble !== undefined) again();
  };
  return <Banner fresh={{ ...fresh, retry }} trouble={fresh.trouble} />;
}

function Banner({ fresh, trouble }: { readonly fresh: Fresh<unknown>; readonly trouble: Trouble }) {
  const { at, againAt } = fresh;
  const moment = useNow(1_000);
  const seconds = Math.max(0, Math.ceil(((againAt ?? 0) - Date.now()) / 1_000));
  return (
    <div class="trouble">
      <Icon name="warning" />
      <div>
        <p role="alert">
          <strong>{headlineOf(trouble)}</strong> {adviceOn(trouble)}
        </p>
        {at !== undefined && <p>{words.trouble.shownIsFrom(ago(at, moment))}</p>}
        <RequestId trouble={trouble} />
        <p class="again">
          {mayPass(trouble) && <span class="countdown">{words.trouble.again(seconds)}</span>}
          <Button onClick={fresh.retry}>{words.trouble.tryNow}</Button>
        </p>
      </div>
    </div>
  );
}

export function RequestId({ trouble }: { readonly trouble: Trouble }) {
  if (trouble instanceof ConnectionError || trouble.requestId === undefined) return null;
  return (
    <p class="request-id">
      {words.trouble.nameRequest} <code>{trouble.requestId}</code>
    </p>
  );
}

function mayPass(trouble: Trouble): boolean {
  return trouble instanceof ConnectionError || trouble.status === 429 || trouble.status >= 500;
}

function headlineOf(trouble: Trouble): string {
  if (trouble instanceof ConnectionError)
    return navigator.onLine ? words.trouble.noAnswer : words.trouble.offline;
  if (trouble.status === 429) return words.trouble.tooMany;
  if (trouble.status === 503) return words.trouble.busy;
  return trouble.status >= 500 ? words.trouble.problem : words.trouble.notShown;
}

function adviceOn(trouble: Trouble): string {
  const isOffline = trouble instanceof ConnectionError && !navigator.onLine;
  return isOffline ? words.trouble.checkConnection : detailOf(trouble);
}

/** In place of what would be shown: nothing here, and what to do about it. */
export function Instead({ title, note, children }: InsteadProps) {
  return (
    <div class="instead">
      <h2>{title}</h2>
      <p>{note}</p>
      {children}
    </div>
  );
}

export interface InsteadProps {
  readonly title: string;
  readonly note: ComponentChildren;
  readonly children?: ComponentChildren;
}
