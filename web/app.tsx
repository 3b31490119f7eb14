// The frame around every view: who is signed in, and which view the address asks for.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiClient } from './api/client.js';
import type { Refusal } from './api/troubles.js';
import { KeyScreen } from './key-screen.js';
import { FleetView } from './list/fleet-view.js';
import { parseRoute, useRoute } from './route.js';
import { findKey, forgetKey, isDemo, keepForThisTab } from './session.js';
import { TankView } from './tank/tank-view.js';

type Session =
  | { readonly is: 'starting' }
  | { readonly is: 'asking'; readonly refusal?: Refusal }
  | { readonly is: 'signed in'; readonly key: string };

export function App() {
  const [session, setSession] = useState<Session>({ is: 'starting' });
  useEffect(() => {
    void findKey().then((key) => setSession(key === undefined ? { is: 'asking' } : { is: 'signed in', key }));
  }, []);
  if (session.is === 'starting') return null;
  if (session.is === 'asking') {
    const signIn = (key: string, keepInTab: boolean) => {
      if (keepInTab) keepForThisTab(key);
      setSession({ is: 'signed in', key });
    };
    return <KeyScreen refusal={session.refusal} onKey={signIn} />;
  }
  const signOut = (refusal?: Refusal) => {
    forgetKey();
    setSession(refusal === undefined ? { is: 'asking' } : { is: 'asking', refusal });
  };
  return <SignedIn key={session.key} apiKey={session.key} signOut={signOut} />;
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
