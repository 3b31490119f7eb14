// What is said when something goes wrong: what happened, how old the figures are that are still shown, and when it is tried
// again. The seconds are counted for the eye only; a screen reader hears the message once.
import type { ComponentChildren } from 'preact';
import { ConnectionError } from 'tank-monitoring-client';
import { detailOf, type Trouble } from '../api/troubles.js';
import type { Fresh } from '../use-fresh.js';
import { ago } from '../words.js';
import { Icon } from './icons.js';
import { useNow } from './when.js';

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
        {at !== undefined && <p>What you see is from {ago(at, moment)}.</p>}
        <RequestId trouble={trouble} />
        <p class="again">
          {mayPass(trouble) && <span class="countdown">Trying again in {seconds} s.</span>}
          <button type="button" onClick={fresh.retry}>
            Try now
          </button>
        </p>
      </div>
    </div>
  );
}

export function RequestId({ trouble }: { readonly trouble: Trouble }) {
  if (trouble instanceof ConnectionError || trouble.requestId === undefined) return null;
  return (
    <p class="request-id">
      If you ask for help, name this request: <code>{trouble.requestId}</code>
    </p>
  );
}

function mayPass(trouble: Trouble): boolean {
  return trouble instanceof ConnectionError || trouble.status === 429 || trouble.status >= 500;
}

function headlineOf(trouble: Trouble): string {
  if (trouble instanceof ConnectionError) return navigator.onLine ? 'No answer.' : 'You are offline.';
  if (trouble.status === 429) return 'Too many requests.';
  if (trouble.status === 503) return 'The service is busy.';
  return trouble.status >= 500 ? 'The service has a problem.' : 'This cannot be shown.';
}

function adviceOn(trouble: Trouble): string {
  const isOffline = trouble instanceof ConnectionError && !navigator.onLine;
  return isOffline ? 'Check your connection.' : detailOf(trouble);
}

/** In place of what would be shown: nothing here, and what to do about it. */
export function Instead({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="instead">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
