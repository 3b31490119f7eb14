// The frame around every view: who is signed in, and which view the address asks for.
import { QueryClientProvider, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Customer, DeletedCustomer, Me, ProblemError } from 'tank-monitoring-client';
import { connect, fetchDemoKey, signInWith, signOut, whoIsThere } from './api/service.js';
import { CustomerForm } from './customers/customer-form.js';
import { CustomerList } from './customers/customer-list.js';
import { CustomerView } from './customers/customer-view.js';
import { EventsView } from './events/events-view.js';
import { useFollowing } from './following.js';
import { FailureBanner, useAttempt } from './form/attempts.js';
import { TankForm } from './form/tank-form.js';
import { GoAnywhere } from './go-anywhere.js';
import { FleetView } from './list/fleet-view.js';
import { useNotice } from './notice.js';
import { forgetKept, kept } from './offline.js';
import { PageProvider } from './page.js';
import { Button } from './parts/button.js';
import { Icon } from './parts/icons.js';
import { LeaveDialog } from './parts/leaving.js';
import { Link } from './parts/link.js';
import { isFleet, isOfTanks, leaveBy, parseRoute, START, useRoute, type Route } from './route.js';
import { RefusedEntries } from './runs/refused-entries.js';
import { RunView } from './runs/run-view.js';
import { RunsView } from './runs/runs-view.js';
import { SensorForm } from './sensors/sensor-form.js';
import { UplinkList } from './sensors/uplink-list.js';
import { UplinkView } from './sensors/uplink-view.js';
import { company, forgetAll, hadSession, isDemo, joinTabs, mayLook, seesRuns } from './session.js';
import { SettingsView } from './settings/settings-view.js';
import { NoRole, SignIn } from './sign-in.js';
import { TankView } from './tank/tank-view.js';
import { heard, newQueries, NOT_IN_FEED, notHeard, useFresh } from './use-fresh.js';
import { words } from './words/words.js';

type Session =
  | { readonly is: 'starting' }
  | { readonly is: 'asking'; readonly refusal?: ProblemError | undefined }
  | { readonly is: 'signed in'; readonly me: Me };

const PLACES = ['runs', 'events', 'customers', 'settings'] as const;

export function App() {
  const { session, check, end, signInWithKey, leave } = useSession();
  const looks = session.is === 'signed in' && mayLook(session.me);
  // Before the view that opens says its own name.
  useLayoutEffect(() => {
    document.title = looks ? words.views.fleet : [words.page.brand, company].filter(Boolean).join(' – ');
  }, [looks]);
  if (session.is === 'starting') return null;
  if (session.is === 'asking') return <SignIn refusal={session.refusal} onKey={signInWithKey} />;
  const { me } = session;
  if (!looks) return <NoRole me={me} onCheck={() => void check()} onSignOut={() => void leave()} />;
  const refused = { onEnd: end, onForbidden: () => void check() };
  return <SignedIn key={`${me.kind} ${me.name} ${me.email}`} me={me} refused={refused} signOut={leave} />;
}

function useSession() {
  const [session, setSession] = useState<Session>({ is: 'starting' });
  const tell = useRef<ReturnType<typeof joinTabs>>(() => undefined);
  /** A new visitor of the demo has no session that one could ask about. */
  const mayBeThere = useRef(hadSession || !isDemo);
  const check = async () => {
    const known = mayBeThere.current ? await whoIsThere() : undefined;
    const me = known ?? (isDemo ? await signInWith(await fetchDemoKey(), false) : undefined);
    mayBeThere.current = true;
    setSession(me === undefined ? { is: 'asking' } : { is: 'signed in', me });
  };
  const signInWithKey = async (key: string, stays: boolean) => {
    setSession({ is: 'signed in', me: await signInWith(key, stays) });
    tell.current('signed in');
  };
  /** The first refusal counts: what else was asked is cut short. What was entered waits for the next session. */
  const end = (refusal: ProblemError) =>
    setSession((now) => (now.is === 'signed in' ? { is: 'asking', refusal } : now));
  const leave = async () => {
    await signOut();
    forgetAll();
    tell.current('signed out');
    setSession({ is: 'asking' });
  };

  useEffect(() => {
    const look = () => void check().catch(() => setSession(asKept()));
    const wasLeft = () => {
      forgetAll();
      setSession({ is: 'asking' });
    };
    tell.current = joinTabs((message) => (message === 'signed in' ? look() : wasLeft()));
    if (hadSession || isDemo) look();
    else setSession({ is: 'asking' });
  }, []); // it stays as long as the page does: there is nothing to clean up
  useEffect(() => {
    if (session.is === 'asking') forgetKept();
  }, [session.is]);

  return { session, check, end, signInWithKey, leave };
}

/** Where the service does not answer. */
function asKept(): Session {
  const me = kept()?.me;
  return me === undefined ? { is: 'asking' } : { is: 'signed in', me };
}

interface SignedInProps {
  readonly me: Me;
  readonly refused: Parameters<typeof connect>[0];
  readonly signOut: () => Promise<void>;
}

/** What somebody was told is forgotten with the session. */
function SignedIn(props: SignedInProps) {
  const queries = useMemo(() => newQueries(props.me), []);
  return (
    <QueryClientProvider client={queries}>
      <Frame {...props} />
    </QueryClientProvider>
  );
}

function Frame({ me: known, refused, signOut: leave }: SignedInProps) {
  const client = useMemo(() => connect(refused), []);
  const { trouble: notLeft, attempt } = useAttempt();
  const queries = useQueryClient();
  useFollowing(client, {
    heard: (changed) => heard(queries, changed),
    notHeard: (trouble) => notHeard(queries, trouble),
  });
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const ownKey = useFresh(['me'], (signal) => client.key.me({ signal }), NOT_IN_FEED);
  const me = ownKey.data ?? known;
  const bound = me.customer_id ?? '';
  const owner = useFresh(
    bound === '' ? undefined : ['customer', bound],
    (signal) => client.customers.get(bound, { signal }),
    { about: [bound] },
  );
  const { notice, leaveWith, undo } = useNotice(route);
  useFocus(main, route, notice.text !== '');
  const { view, uplink, customer, run, tank, form } = route;
  const isCovered = tank !== undefined || form !== undefined;
  const page = { client, route, me, ownKey, onDone: leaveWith };
  return (
    <PageProvider value={page}>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        {words.page.skip}
      </a>
      <header class="page-head">
        <span class="brand">{company ?? words.page.brand}</span>
        {isDemo && <span class="demo">{words.page.demo}</span>}
        <nav class="places" aria-label={words.page.otherViews}>
          <Link to={START} aria-current={isOfTanks(view) ? 'page' : undefined}>
            <Icon name="fleet" />
            {words.views.fleet}
          </Link>
          {PLACES.filter((other) => other !== 'runs' || me.customer_id === null).map((other) => (
            <Link
              key={other}
              to={{ ...START, view: other }}
              aria-current={view === other ? 'page' : undefined}
            >
              <Icon name={other} />
              {words.views[other]}
            </Link>
          ))}
        </nav>
        <span class="who">{whoIs(me.name, owner.data)}</span>
        <Button onClick={() => leaveBy(() => void attempt(leave))}>{words.page.signOut}</Button>
      </header>
      <GoAnywhere />
      <LeaveDialog />
      <main id="main" ref={main} tabIndex={-1}>
        <FailureBanner trouble={notLeft} />
        <p role="status" class="notice">
          <span>{notice.text}</span>
          {notice.undo !== undefined && <Button onClick={() => void undo()}>{words.undo}</Button>}
        </p>
        <RefusedEntries />
        <FleetView isBehind={!isFleet(route)} />
        {view === 'uplinks' && <UplinkList isBehind={tank !== undefined || uplink !== undefined} />}
        {view === 'uplinks' && uplink !== undefined && tank === undefined && (
          <UplinkView key={uplink} uplinkId={uplink} />
        )}
        {view === 'events' && <EventsView isBehind={isCovered} />}
        {view === 'customers' && <CustomerList isBehind={isCovered || customer !== undefined} />}
        {view === 'customers' && customer !== undefined && !isCovered && (
          <CustomerView key={customer} customerId={customer} />
        )}
        {view === 'runs' && seesRuns(me) && <RunsView isBehind={isCovered || run !== undefined} />}
        {view === 'runs' && run !== undefined && !isCovered && seesRuns(me) && (
          <RunView key={run} runId={run} />
        )}
        {view === 'settings' && !isCovered && <SettingsView />}
        {form === 'customer' && <CustomerForm key={customer} />}
        {form === 'sensor' && tank !== undefined && <SensorForm key={tank} tankId={tank} />}
        {form !== undefined && form !== 'sensor' && form !== 'customer' && (
          <TankForm key={`${form} ${tank}`} />
        )}
        {form === undefined && tank !== undefined && <TankView key={tank} tankId={tank} />}
      </main>
    </PageProvider>
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
function placeOf(route: Route): string {
  const { view, uplink, customer, run, setting, endpoint, recipient, source, profile, tank, form } = route;
  const settings = view === 'settings' ? [setting, endpoint, recipient, source, profile] : [];
  return JSON.stringify([isOfTanks(view) ? '' : view, uplink, customer, run, ...settings, tank, form]);
}

/** A tank may have several: in the list, on the map, in the events. */
function linkBack(left: Before, route: Route, main: HTMLElement | null): HTMLElement | undefined {
  const { opener, route: open } = left;
  const find = (name: string, id: string) =>
    main?.querySelector<HTMLElement>(`[data-${name}="${CSS.escape(id)}"]`) ?? undefined;
  const isUncovered = placeOf(route) === placeOf({ ...START, view: route.view });
  if (!isUncovered) return undefined;
  for (const one of ['uplink', 'customer', 'run'] as const) {
    const id = open[one];
    if (id !== undefined && route.view === `${one}s`) return find(one, id);
  }
  if (!isFleet(route)) return undefined;
  if (opener instanceof HTMLAnchorElement && main?.contains(opener) === true) {
    if (placeOf(parseRoute(opener.search)) === placeOf(open)) return opener;
  }
  return open.tank === undefined || open.form !== undefined ? undefined : find('tank', open.tank);
}
