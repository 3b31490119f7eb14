// The frame around every view: who is signed in, and which view the address asks for.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiClient } from './api/client.js';
import type { Refusal } from './api/troubles.js';
import type { OwnKey } from './api/types.js';
import { TankForm } from './form/tank-form.js';
import { KeyScreen } from './key-screen.js';
import { FleetView } from './list/fleet-view.js';
import { addressOf, go, parseRoute, useRoute, type Route } from './route.js';
import {
  findKey,
  forgetKey,
  isDemo,
  joinTabs,
  keepForThisTab,
  mayChangeTanks,
  type OtherTabs,
} from './session.js';
import { TankView } from './tank/tank-view.js';
import { useFresh } from './use-fresh.js';

type Session =
  | { readonly is: 'starting' }
  | { readonly is: 'asking'; readonly refusal?: Refusal }
  | { readonly is: 'signed in'; readonly key: string };

/** A moment for other tabs to answer, so that the key screen does not flash up. */
const ANSWER_MS = 200;

export function App() {
  const { session, signIn, signOut } = useSession();
  if (session.is === 'starting') return null;
  if (session.is === 'asking') return <KeyScreen refusal={session.refusal} onKey={signIn} />;
  return <SignedIn key={session.key} apiKey={session.key} signOut={signOut} />;
}

function useSession() {
  const [session, setSession] = useState<Session>({ is: 'starting' });
  const latest = useRef(session);
  latest.current = session;
  const tabs = useRef<OtherTabs>();
  const signIn = (key: string, keepInTab: boolean) => {
    if (keepInTab) keepForThisTab(key);
    setSession({ is: 'signed in', key });
  };
  /** A refused key is this tab's affair: the others may have another one. */
  const signOut = (refusal?: Refusal) => {
    forgetKey();
    if (refusal === undefined) tabs.current?.signOut();
    setSession(refusal === undefined ? { is: 'asking' } : { is: 'asking', refusal });
  };

  useEffect(() => {
    const others = joinTabs({
      key: () => (latest.current.is === 'signed in' ? latest.current.key : undefined),
      onKey: (key, keepInTab) => {
        if (wantsKey(latest.current)) signIn(key, keepInTab);
      },
      onSignOut: () => {
        forgetKey();
        setSession({ is: 'asking' });
      },
    });
    tabs.current = others;
    const askWhenSeen = () => {
      if (!document.hidden && wantsKey(latest.current)) others.askForKey();
    };
    document.addEventListener('visibilitychange', askWhenSeen);
    const start = async () => {
      const key = await findKey();
      if (key !== undefined) return setSession({ is: 'signed in', key });
      others.askForKey();
      setTimeout(() => setSession((now) => (now.is === 'starting' ? { is: 'asking' } : now)), ANSWER_MS);
    };
    void start();
    return () => {
      document.removeEventListener('visibilitychange', askWhenSeen);
      others.leave();
    };
  }, []);

  return { session, signIn, signOut };
}

/** After a refusal the visitor has the word: the other tabs may have the same key still. */
function wantsKey(session: Session): boolean {
  return session.is === 'starting' || (session.is === 'asking' && session.refusal === undefined);
}

interface SignedInProps {
  readonly apiKey: string;
  readonly signOut: (refusal?: Refusal) => void;
}

function SignedIn({ apiKey, signOut }: SignedInProps) {
  const client = useMemo(() => new ApiClient(apiKey, signOut), [apiKey]);
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const ownKey = useFresh('key', (signal) => client.get<OwnKey>('key', {}, signal), { once: true });
  const mayChange = mayChangeTanks(ownKey.data);
  const { notice, leaveWith } = useNotice(route);
  useFocus(main, route);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        Skip to the content
      </a>
      <header class="page-head">
        <span class="brand">Tank Monitoring</span>
        {isDemo && <span class="demo">Demo</span>}
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <p role="status" class="notice">
          {notice}
        </p>
        <FleetView client={client} route={route} isBehind={!isFleet(route)} mayChange={mayChange} />
        {route.form !== undefined && (
          <TankForm
            key={`${route.form} ${route.tank}`}
            client={client}
            ownKey={ownKey}
            route={route}
            onDone={leaveWith}
          />
        )}
        {route.form === undefined && route.tank !== undefined && (
          <TankView
            key={route.tank}
            client={client}
            tankId={route.tank}
            route={route}
            mayChange={mayChange}
          />
        )}
      </main>
    </>
  );
}

/** An address with # would be one more entry in the history. */
function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** What was done, until the visitor goes elsewhere. */
function useNotice(route: Route) {
  const [notice, setNotice] = useState({ text: '', at: '' });
  const address = addressOf(route);
  useEffect(() => setNotice((before) => (before.at === address ? before : { text: '', at: '' })), [address]);
  /** The way back does not lead into a form that is done with. */
  const leaveWith = (text: string, next: Route) => {
    setNotice({ text, at: addressOf(next) });
    go(next, { replace: true });
  };
  return { notice: notice.at === address ? notice.text : '', leaveWith };
}

/** Neither a tank nor a form covers it. */
function isFleet({ tank, form }: Pick<Route, 'tank' | 'form'>): boolean {
  return tank === undefined && form === undefined;
}

/** A tank that is opened has the focus at its name; closed, the focus is back on the link that opened it, the list where it was. */
function useFocus(main: { readonly current: HTMLElement | null }, { tank, form }: Route): void {
  const before = useRef<Before>({ tank, form, scroll: 0, opener: null });
  // While the list is still as it was: a tank that opens takes its height away.
  useEffect(() => {
    const remember = () => {
      if (isFleet(before.current)) before.current.scroll = scrollY;
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  useLayoutEffect(() => {
    const left = before.current;
    if (left.tank === tank && left.form === form) return;
    const opener = isFleet(left) ? document.activeElement : left.opener;
    before.current = { tank, form, scroll: left.scroll, opener };
    scrollTo(0, isFleet({ tank, form }) ? left.scroll : 0);
    const link = isFleet({ tank, form }) ? linkTo(left, main.current) : undefined;
    const heading = main.current?.querySelector<HTMLElement>(':scope > :not([hidden]) h1');
    (link ?? heading)?.focus({ preventScroll: true });
  }, [tank, form]);
}

interface Before extends Pick<Route, 'tank' | 'form'> {
  scroll: number;
  /** What led away from the fleet. */
  opener: Element | null;
}

/** A tank may have several: in the list, on the map, in the events. */
function linkTo({ tank, form, opener }: Before, main: HTMLElement | null): HTMLElement | undefined {
  if (opener instanceof HTMLAnchorElement && main?.contains(opener) === true) {
    const led = parseRoute(opener.search);
    if (led.tank === tank && led.form === form) return opener;
  }
  // A form that is left for the fleet has deleted its tank.
  if (tank === undefined || form !== undefined) return undefined;
  return main?.querySelector<HTMLElement>(`[data-tank="${CSS.escape(tank)}"]`) ?? undefined;
}
