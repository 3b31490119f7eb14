// The frame around every view: who is signed in, and which view the address asks for.
import { QueryClientProvider, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Customer, DeletedCustomer, ProblemError } from 'tank-monitoring-client';
import { connect } from './api/service.js';
import { CustomerForm } from './customers/customer-form.js';
import { CustomerList } from './customers/customer-list.js';
import { CustomerView } from './customers/customer-view.js';
import { EventsView } from './events/events-view.js';
import { TankForm } from './form/tank-form.js';
import { GoAnywhere } from './go-anywhere.js';
import { KeyScreen } from './key-screen.js';
import { FleetView } from './list/fleet-view.js';
import { Link } from './parts/link.js';
import { isFleet, isFreeToLeave, isOfTanks, parseRoute, START, useRoute, type Route } from './route.js';
import { SensorForm } from './sensors/sensor-form.js';
import { UplinkList } from './sensors/uplink-list.js';
import { UplinkView } from './sensors/uplink-view.js';
import {
  findKey,
  forgetAll,
  forgetKey,
  isDemo,
  joinTabs,
  keepForThisTab,
  type OtherTabs,
} from './session.js';
import { SettingsView } from './settings/settings-view.js';
import { TankView } from './tank/tank-view.js';
import { useNotice } from './notice.js';
import { useFollowing } from './following.js';
import { heard, newQueries, notHeard, useFresh } from './use-fresh.js';
import { words } from './words/words.js';

type Session =
  | { readonly is: 'starting' }
  | { readonly is: 'asking'; readonly refusal?: ProblemError | undefined }
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
  const signOut = (refusal?: ProblemError) => {
    if (refusal === undefined) {
      forgetAll();
      tabs.current?.signOut();
    } else forgetKey(); // what was entered waits for the next one
    setSession({ is: 'asking', refusal });
  };

  useEffect(() => {
    const others = joinTabs({
      key: () => (latest.current.is === 'signed in' ? latest.current.key : undefined),
      onKey: (key, keepInTab) => {
        if (wantsKey(latest.current)) signIn(key, keepInTab);
      },
      onSignOut: () => {
        forgetAll();
        setSession({ is: 'asking' });
      },
    });
    tabs.current = others;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && wantsKey(latest.current)) others.askForKey();
    });
    const start = async () => {
      const key = await findKey();
      if (key !== undefined) return setSession({ is: 'signed in', key });
      others.askForKey();
      setTimeout(() => setSession((now) => (now.is === 'starting' ? { is: 'asking' } : now)), ANSWER_MS);
    };
    void start();
  }, []); // it stays as long as the page does: there is nothing to clean up

  return { session, signIn, signOut };
}

/** After a refusal the visitor has the word: the other tabs may have the same key still. */
function wantsKey(session: Session): boolean {
  return session.is === 'starting' || (session.is === 'asking' && session.refusal === undefined);
}

interface SignedInProps {
  readonly apiKey: string;
  readonly signOut: (refusal?: ProblemError) => void;
}

/** What a key was told is forgotten with it. */
function SignedIn(props: SignedInProps) {
  const queries = useMemo(newQueries, []);
  return (
    <QueryClientProvider client={queries}>
      <Frame {...props} />
    </QueryClientProvider>
  );
}

function Frame({ apiKey, signOut }: SignedInProps) {
  const client = useMemo(() => connect(apiKey, signOut), [apiKey]);
  const queries = useQueryClient();
  useFollowing(client, {
    heard: (changed) => heard(queries, changed),
    notHeard: (trouble) => notHeard(queries, trouble),
  });
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const ownKey = useFresh(['key'], (signal) => client.key.get({ signal }), { once: true });
  const ofCustomer = ownKey.data?.customer_id ?? undefined;
  const owner = useFresh(
    ofCustomer === undefined ? undefined : ['customer', ofCustomer],
    (signal) => client.customers.get(ofCustomer ?? '', { signal }),
    {
      about: ofCustomer === undefined ? [] : [ofCustomer],
    },
  );
  const { notice, leaveWith, undo } = useNotice(route);
  useFocus(main, route, notice.text !== '');
  const { view, uplink, customer, tank, form } = route;
  const isCovered = tank !== undefined || form !== undefined;
  const forView = { client, route, ownKey: ownKey.data };
  const forForm = { client, route, ownKey, onDone: leaveWith };
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        {words.page.skip}
      </a>
      <header class="page-head">
        <span class="brand">{words.page.brand}</span>
        {isDemo && <span class="demo">{words.page.demo}</span>}
        <nav class="places" aria-label={words.page.otherViews}>
          <Link to={START} aria-current={isOfTanks(view) ? 'page' : undefined}>
            {words.views.fleet}
          </Link>
          {(['events', 'customers', 'settings'] as const).map((other) => (
            <Link
              key={other}
              to={{ ...START, view: other }}
              aria-current={view === other ? 'page' : undefined}
            >
              {words.views[other]}
            </Link>
          ))}
        </nav>
        <span class="who">{ownKey.data !== undefined && whoIs(ownKey.data.name, owner.data)}</span>
        <button type="button" onClick={() => isFreeToLeave() && signOut()}>
          {words.page.signOut}
        </button>
      </header>
      <GoAnywhere client={client} />
      <main id="main" ref={main} tabIndex={-1}>
        <p role="status" class="notice">
          <span>{notice.text}</span>
          {notice.undo !== undefined && (
            <button type="button" onClick={() => void undo()}>
              {words.undo}
            </button>
          )}
        </p>
        <FleetView {...forView} isBehind={!isFleet(route)} onDone={leaveWith} />
        {view === 'uplinks' && (
          <UplinkList {...forView} isBehind={tank !== undefined || uplink !== undefined} />
        )}
        {view === 'uplinks' && uplink !== undefined && tank === undefined && (
          <UplinkView key={uplink} {...forView} uplinkId={uplink} onDone={leaveWith} />
        )}
        {view === 'events' && <EventsView {...forView} isBehind={isCovered} />}
        {view === 'customers' && (
          <CustomerList {...forView} isBehind={isCovered || customer !== undefined} onDone={leaveWith} />
        )}
        {view === 'customers' && customer !== undefined && !isCovered && (
          <CustomerView key={customer} {...forView} customerId={customer} />
        )}
        {view === 'settings' && !isCovered && <SettingsView {...forForm} />}
        {form === 'customer' && <CustomerForm key={customer} {...forForm} />}
        {form === 'sensor' && tank !== undefined && <SensorForm key={tank} {...forForm} tankId={tank} />}
        {form !== undefined && form !== 'sensor' && form !== 'customer' && (
          <TankForm key={`${form} ${tank}`} {...forForm} />
        )}
        {form === undefined && tank !== undefined && (
          <TankView key={tank} {...forView} tankId={tank} onDone={leaveWith} />
        )}
      </main>
    </>
  );
}

function whoIs(key: string, customer: Customer | DeletedCustomer | undefined): string {
  return customer === undefined || 'deleted' in customer ? key : `${key}, ${customer.name}`;
}

/** An address with # would be one more entry in the history. */
function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** What is opened has the focus at its name; closed, the focus is back on the link that opened it, the list where it was. */
function useFocus(main: { readonly current: HTMLElement | null }, route: Route, isDone: boolean): void {
  const before = useRef<Before>({ route, scroll: 0, opener: null });
  // While the list is still as it was: what opens takes its height away.
  useEffect(() => {
    const remember = () => {
      if (isFleet(before.current.route)) before.current.scroll = scrollY;
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  useLayoutEffect(() => {
    const left = before.current;
    if (placeOf(left.route) === placeOf(route)) return;
    const opener = isFleet(left.route) ? document.activeElement : left.opener;
    before.current = { route, scroll: left.scroll, opener };
    scrollTo(0, isFleet(route) ? left.scroll : 0);
    // What was done may have taken away what the link led to.
    const link = isDone ? undefined : linkBack(left, route, main.current);
    const heading = main.current?.querySelector<HTMLElement>(':scope > :not([hidden]) h1');
    (link ?? heading)?.focus({ preventScroll: true });
  }, [placeOf(route)]);
}

interface Before {
  readonly route: Route;
  scroll: number;
  /** What led away from the fleet. */
  readonly opener: Element | null;
}

/** What covers the fleet. */
function placeOf({ view, uplink, customer, setting, endpoint, tank, form }: Route): string {
  const settings = view === 'settings' ? [setting, endpoint] : [];
  return JSON.stringify([isOfTanks(view) ? '' : view, uplink, customer, ...settings, tank, form]);
}

/** A tank may have several: in the list, on the map, in the events. */
function linkBack(left: Before, route: Route, main: HTMLElement | null): HTMLElement | undefined {
  const { opener, route: open } = left;
  const find = (name: string, id: string) =>
    main?.querySelector<HTMLElement>(`[data-${name}="${CSS.escape(id)}"]`) ?? undefined;
  const isUncovered = placeOf(route) === placeOf({ ...START, view: route.view });
  if (!isUncovered) return undefined;
  if (route.view === 'uplinks' && open.uplink !== undefined) return find('uplink', open.uplink);
  if (route.view === 'customers' && open.customer !== undefined) return find('customer', open.customer);
  if (!isFleet(route)) return undefined;
  if (opener instanceof HTMLAnchorElement && main?.contains(opener) === true) {
    if (placeOf(parseRoute(opener.search)) === placeOf(open)) return opener;
  }
  return open.tank === undefined || open.form !== undefined ? undefined : find('tank', open.tank);
}
