// Who is signed in. The service knows by a cookie that no script can read: the page has no key, and all its tabs are signed in and out
// together.
import type { Me } from 'tank-monitoring-client';
import { keepIn, keptIn } from './keeping.js';

export const isDemo = document.body.hasAttribute('data-demo');
/** Somebody may be signed in: when the page was made, the browser had a session. */
export const hadSession = document.body.hasAttribute('data-session');
/** The service takes changes at all. */
export const mayWrite = !document.body.hasAttribute('data-read-only');
/** The company's identity provider signs people in. */
export const hasProvider = document.body.hasAttribute('data-provider');

/** What the operator calls the company; undefined: nothing. */
export const { company } = document.body.dataset;

type Scope = Me['scopes'][number];
const has = (me: Me, scope: Scope): boolean => me.scopes.includes(scope);

export const mayLook = (me: Me): boolean => has(me, 'read');
/** The service takes changes, and takes them from this caller. */
export const mayChangeTanks = (me: Me): boolean => mayWrite && has(me, 'tanks:write');
export const mayChangeCustomers = (me: Me): boolean => mayWrite && has(me, 'customers:write');
/** Somebody of one customer neither adds nor deletes any. */
export const mayAddCustomers = (me: Me): boolean => mayChangeCustomers(me) && me.customer_id === null;
/** A truck serves many customers: somebody of one of them sees no runs. */
export const seesRuns = (me: Me): boolean => me.customer_id === null && has(me, 'read');
export const mayChangeRuns = (me: Me): boolean => mayWrite && seesRuns(me) && has(me, 'runs:write');
/** Uplinks are tried again, or discarded, by those who may send. */
export const mayRetryUplinks = (me: Me): boolean => mayWrite && has(me, 'telemetry:write');
/** The parts of the settings that have a scope of their name, and one for who changes tanks. */
export const maySee = (
  me: Me,
  part: 'recipients' | 'webhooks' | 'activity' | 'keys' | 'users' | 'sources',
): boolean => (part === 'sources' ? mayChangeTanks(me) : has(me, part));

/** Until the tab is closed or signed out of: what would be lost otherwise. */
export const keepInTab = (name: string, value: object | undefined): void =>
  keepIn('sessionStorage', `fleet ${name}`, value);

export const keptInTab = <T extends object>(name: string): Partial<T> | undefined =>
  keptIn('sessionStorage', `fleet ${name}`) as Partial<T> | undefined;

/** Of the next visitor's business none. */
export function forgetAll(): void {
  try {
    sessionStorage.clear();
  } catch {
    // nothing was kept
  }
}

type Message = 'signed in' | 'signed out';

/** The name tells services apart that a proxy has at one origin. A browser that refuses it leaves each tab to itself. */
export function joinTabs(listen: (message: Message) => void): (message: Message) => void {
  try {
    const channel = new BroadcastChannel(`fleet ${location.pathname}`);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listen(data));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    return (message) => channel.postMessage(message);
  } catch {
    return () => undefined;
  }
}
