// The frame around every view: who is signed in, and which view the address asks for.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiClient } from './api/client.js';
import type { Refusal } from './api/troubles.js';
import { KeyScreen } from './key-screen.js';
import { FleetView } from './list/fleet-view.js';
import { parseRoute, useRoute } from './route.js';
import { findKey, forgetKey, isDemo, joinTabs, keepForThisTab, type OtherTabs } from './session.js';
import { TankView } from './tank/tank-view.js';

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
  useFocus(main, route.tank);
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
        <FleetView client={client} route={route} isBehind={route.tank !== undefined} />
        {route.tank !== undefined && (
          <TankView key={route.tank} client={client} tankId={route.tank} route={route} />
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

/** A tank that is opened has the focus at its name; closed, the focus is back on the link that opened it, the list where it was. */
function useFocus(main: { readonly current: HTMLElement | null }, tank: string | undefined): void {
  const before = useRef<Before>({ tank, scroll: 0, opener: null });
  // While the list is still as it was: a tank that opens takes its height away.
  useEffect(() => {
    const remember = () => {
      if (before.current.tank === undefined) before.current.scroll = scrollY;
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  useLayoutEffect(() => {
    const { tank: left, scroll, opener } = before.current;
    if (left === tank) return;
    before.current = { tank, scroll, opener: document.activeElement };
    if (tank === undefined) scrollTo(0, scroll);
    else scrollTo(0, 0);
    const link = left !== undefined && tank === undefined ? linkTo(left, opener, main.current) : undefined;
    const heading = main.current?.querySelector<HTMLElement>(':scope > :not([hidden]) h1');
    (link ?? heading)?.focus({ preventScroll: true });
  }, [tank]);
}

interface Before {
  tank: string | undefined;
  scroll: number;
  opener: Element | null;
}

/** A tank may have several: in the list, on the map, in the events. */
function linkTo(tank: string, opener: Element | null, main: HTMLElement | null): HTMLElement | undefined {
  const isHere = opener instanceof HTMLAnchorElement && main?.contains(opener) === true;
  if (isHere && parseRoute(opener.search).tank === tank) return opener;
  return main?.querySelector<HTMLElement>(`[data-tank="${CSS.escape(tank)}"]`) ?? undefined;
}
