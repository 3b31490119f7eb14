// The visitor's key. It lives in the memory of the open tabs, which get it from one another and are signed out together; in
// sessionStorage when the visitor asks for it, until the tab is closed; never in a URL, a cookie or localStorage.
import type { Key } from 'tank-monitoring-client';
import { fetchDemoKey } from './api/service.js';

const NAME = 'fleet-key';

export const isDemo = document.body.hasAttribute('data-demo');
/** The service takes changes at all. */
export const mayWrite = !document.body.hasAttribute('data-read-only');

type Scope = Key['scopes'][number];
const has = (key: Key | undefined, scope: Scope): boolean => key?.scopes.includes(scope) === true;

/** The service takes changes, and takes them from this key. */
export const mayChangeTanks = (key: Key | undefined): boolean => mayWrite && has(key, 'tanks:write');
export const mayChangeCustomers = (key: Key | undefined): boolean => mayWrite && has(key, 'customers:write');
/** A key of one customer neither adds nor deletes any. */
export const mayAddCustomers = (key: Key | undefined): boolean =>
  mayChangeCustomers(key) && key?.customer_id === null;
/** Uplinks are tried again, or discarded, by a key that may send. */
export const mayRetryUplinks = (key: Key | undefined): boolean => mayWrite && has(key, 'telemetry:write');
/** The parts of the settings that have a scope of their name. */
export const maySee = (key: Key | undefined, part: 'recipients' | 'webhooks' | 'activity'): boolean =>
  has(key, part);

/** A key that is there without asking anybody: the one kept for this tab, or the demo's. */
export async function findKey(): Promise<string | undefined> {
  return storage()?.getItem(NAME) ?? (isDemo ? await fetchDemoKey() : undefined);
}

export function keepForThisTab(key: string): void {
  storage()?.setItem(NAME, key);
}

export function forgetKey(): void {
  storage()?.removeItem(NAME);
}

/** Until the tab is closed or signed out of: what would be lost otherwise. */
export function keepInTab(name: string, value: object | undefined): void {
  if (value === undefined) storage()?.removeItem(`fleet ${name}`);
  else storage()?.setItem(`fleet ${name}`, JSON.stringify(value));
}

export function keptInTab<T extends object>(name: string): Partial<T> | undefined {
  const text = storage()?.getItem(`fleet ${name}`);
  return text == null ? undefined : (JSON.parse(text) as Partial<T>);
}

/** Of the next visitor's business none. */
export function forgetAll(): void {
  storage()?.clear();
}

type Message =
  | { readonly is: 'wanted' }
  | { readonly is: 'key'; readonly key: string; readonly keepInTab: boolean }
  | { readonly is: 'signed out' };

interface Tab {
  /** The key it is signed in with. */
  readonly key: () => string | undefined;
  readonly onKey: (key: string, keepInTab: boolean) => void;
  readonly onSignOut: () => void;
}

export type OtherTabs = ReturnType<typeof joinTabs>;

export function joinTabs({ key, onKey, onSignOut }: Tab) {
  const channel = openChannel();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  const send = (message: Message) => channel?.postMessage(message);
  channel?.addEventListener('message', ({ data: message }: MessageEvent<Message>) => {
    const own = key();
    if (message.is === 'key') onKey(message.key, message.keepInTab);
    else if (message.is === 'signed out') onSignOut();
    else if (own !== undefined) send({ is: 'key', key: own, keepInTab: storage()?.getItem(NAME) === own });
  });
  return {
    askForKey: () => send({ is: 'wanted' }),
    signOut: () => send({ is: 'signed out' }),
  };
}

/** The name tells services apart that a proxy has at one origin. A browser that refuses it leaves each tab to itself. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(`${NAME} ${location.pathname}`);
  } catch {
    return undefined;
  }
}

/** Some browsers are told to refuse it; the key then stays in memory. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
