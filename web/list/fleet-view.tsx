// The fleet: counts, what happened last, filters, and the tanks they leave, as a list, as a plan or on a map.
import { useMemo } from 'preact/hooks';
import type { Fleet, List, TankStatus } from 'tank-monitoring-client';
import { everyOne } from '../api/troubles.js';
import { NewestEvents } from '../events/event-list.js';
import { dayName } from '../format.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { pageOf, Pager, Summary } from '../parts/listing.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { ListViewProps } from '../parts/view.js';
import { AsOf } from '../parts/when.js';
import { PlanControls } from '../plan/controls.js';
import { PlanView } from '../plan/plan-view.js';
import { endOfPlan } from '../plan/stops.js';
import { filterOf, SHORTEST_SEARCH, sortOf, START, type Route, type View } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { NOT_IN_FEED, useFresh, type Fresh } from '../use-fresh.js';
import { Counts } from './counts.js';
import { DeletedFound } from './deleted-found.js';
import { Filters } from './filters.js';
import { ManyBar } from './many-bar.js';
import { findNeeds, type SensorNeeds } from './sensor-needs.js';
import { TankTable } from './tank-table.js';
import { words } from '../words/words.js';

const NEWEST = 10;

interface Shown {
  readonly fleet: Fleet;
  readonly tanks: readonly TankStatus[];
  /** The page they are of; a plan or a map has all of them. */
  readonly list: List<TankStatus> | undefined;
  /** Of that page. They come together, so that no row grows later. */
  readonly needs?: SensorNeeds;
  /** Of a plan in which nothing was found: how many tanks are due without the search or, without one, without the filters. */
  readonly dueWithout?: number;
  /** What was asked for: their numbers are known for nothing else. */
  readonly of: Route;
}

/** While a tank is shown the fleet waits behind it, as it was left. */
export function FleetView({ isBehind }: ListViewProps) {
  const { client, me, route } = usePage();
  const fresh = useFleet(isBehind);
  const events = useFresh(isBehind ? undefined : ['newest events'], (signal) =>
    client.events.page({ size: NEWEST }, { signal }),
  );
  const uplinks = useFresh(
    isBehind ? undefined : ['waiting'],
    (signal) => client.uplinks.page({ size: 1 }, { signal }),
    NOT_IN_FEED,
  );
  const { data, isPrevious } = fresh;
  const isOne = !isPrevious && data?.tanks.length === 1;
  return (
    <div hidden={isBehind}>
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.fleet}</h1>
        {mayChangeTanks(me) && (
          <Link to={{ ...route, form: 'add' }} class="button">
            <Icon name="add" />
            {words.form.addTank}
          </Link>
        )}
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh, events, uplinks]} />
      <Counts
        fleet={data && countedOf(data.of) === countedOf(route) ? data.fleet : undefined}
        isPart={isNarrowed(route)}
      />
      <NewestEvents fresh={events} />
      <Filters waiting={uplinks.data?.total_items ?? 0} only={isOne ? data.tanks[0]?.tank_id : undefined} />
      {route.view === 'plan' && <PlanControls />}
      <OwnerFilter tanks={data?.tanks} />
      {data?.fleet.tanks === 0 && !isNarrowed(route) ? (
        <Instead title={words.list.noTanks} note={words.list.noTanksYet} />
      ) : (
        <Tanks fresh={fresh} />
      )}
    </div>
  );
}

function isNarrowed({ owner, search, useCase, sensorNeed }: Route): boolean {
  return owner !== undefined || search !== '' || useCase !== undefined || sensorNeed !== undefined;
}

/** The counts do not depend on the one that is chosen. */
const countedOf = (route: Route) => JSON.stringify(filterOf({ ...route, condition: 'all' }));

/** Neither the order nor the page changes how many there are. */
const foundOf = (route: Route) =>
  JSON.stringify([route.view, filterOf(route), route.view === 'plan' && route.until]);

/** Without the search or, where there is none, without the filters. */
const withoutSearch = (route: Route): Route =>
  filterOf(route).q === undefined
    ? { ...START, view: route.view, until: route.until }
    : { ...route, search: '' };

function useFleet(isBehind: boolean): Fresh<Shown> {
  const { client, route } = usePage();
  const { view, page, until } = route;
  const filter = filterOf(route);
  const sort = sortOf(route);
  const question = view === 'list' ? [view, filter, sort, page] : [view, filter, until];
  const find = async (signal: AbortSignal) => {
    if (view === 'list') {
      const asked = { ...filter, sort, ...pageOf(route) };
      const [list, needs] = await Promise.all([
        client.fleet.tanks.page(asked, { signal }),
        findNeeds(client, asked, signal),
      ]);
      return { list, tanks: list.data, needs };
    }
    const due = { sort: 'empty_at', alert_before: new Date(endOfPlan(until)).toISOString() } as const;
    const asked = { ...filter, ...(view === 'plan' && due) };
    const tanks = await everyOne(client.fleet.tanks.list(asked, { signal }));
    const without = filterOf(withoutSearch(route));
    if (view !== 'plan' || tanks.length > 0 || JSON.stringify(without) === JSON.stringify(filter))
      return { list: undefined, tanks };
    const { total_items } = await client.fleet.tanks.page({ ...without, ...due, size: 1 }, { signal });
    return { list: undefined, tanks, dueWithout: total_items };
  };
  const ask = async (signal: AbortSignal): Promise<Shown> => {
    const { owner_id, use_case, q, low_battery, weak_signal } = filter;
    const counting = client.fleet.get({ owner_id, use_case, q, low_battery, weak_signal }, { signal });
    const [fleet, found] = await Promise.all([counting, find(signal)]);
    return { fleet, of: route, ...found };
  };
  // A new forecast is no change of the feed.
  return useFresh(isBehind ? undefined : question, ask, { isInFeed: false });
}

function Tanks({ fresh }: { readonly fresh: Fresh<Shown> }) {
  const { me, route } = usePage();
  const { data, isPrevious, trouble } = fresh;
  const { view, chosen } = route;
  const list = data?.list;
  const isPart = view === 'map' && chosen.length > 0;
  // A page that is still shown does not stand for all of them.
  const all = list === undefined ? data?.tanks : undefined;
  const tanks = useMemo(() => {
    const ids = new Set(chosen);
    return isPart ? all?.filter(({ tank_id }) => ids.has(tank_id)) : all;
  }, [all, isPart, chosen]);
  const total =
    data && foundOf(data.of) === foundOf(route) ? (list?.total_items ?? tanks?.length) : undefined;
  const isNothing = total === 0 && !isPrevious;
  return (
    <section class={isPrevious ? 'results results-previous' : 'results'} aria-label={words.list.tanks}>
      <Summary list={list} said={total === undefined ? undefined : summaryOf(total, route)}>
        {isPart && <Link to={{ ...route, chosen: [] }}>{words.list.allNotChosen}</Link>}
      </Summary>
      {view === 'list' && <DeletedFound kind="tank" />}
      {isNothing && (
        <Instead
          title={nothingIn(data, route)}
          note={route.sensorNeed !== undefined && words.list.onlySensors}
        >
          <Link to={{ ...START, view }}>{words.list.showAll}</Link>
        </Instead>
      )}
      {list?.data.length === 0 && list.total_items > 0 && (
        <Instead
          title={words.list.noSuchPage}
          note={<Link to={{ ...route, page: 1 }}>{words.list.firstPage}</Link>}
        />
      )}
      {!isNothing && view === 'map' && <LazyMap tanks={tanks} />}
      {!isNothing && view === 'plan' && <PlanView tanks={tanks} isBusy={isPrevious} />}
      {view === 'list' && list?.data.length !== 0 && (data !== undefined || trouble === undefined) && (
        <TankTable
          tanks={list?.data}
          isBusy={isPrevious}
          needs={data?.needs}
          isTicking={mayChangeTanks(me)}
        />
      )}
      {list !== undefined && <Pager list={list} label={words.page.pagesAgain} />}
      {view === 'list' && <ManyBar />}
    </section>
  );
}

function nothingIn(shown: Shown | undefined, route: Route): string {
  if (route.view !== 'plan') return words.list.noMatch;
  if (shown?.dueWithout === undefined) return words.list.noneDue;
  return words.list.noneDueOf(filterOf(route).q, shown.fleet.tanks, shown.dueWithout);
}

function LazyMap({ tanks }: { readonly tanks: readonly TankStatus[] | undefined }) {
  const loaded = useLoaded(() => import('../map/map-view.js'));
  return loaded === undefined ? <div class="map-frame map-box" /> : <loaded.MapView tanks={tanks} />;
}

function summaryOf(total: number, route: Route): string {
  const tanks = words.tanks(total);
  const summaries: Partial<Record<View, string>> = {
    list: `${tanks}, ${words.list.ordersAloud[sortOf(route)]}`,
    plan: words.list.mayReach(total, dayName(endOfPlan(route.until))),
  };
  const summary = summaries[route.view] ?? tanks;
  const isTooShort = route.search.trim() !== '' && filterOf(route).q === undefined;
  return isTooShort ? `${summary}. ${words.list.tooShort(SHORTEST_SEARCH)}` : summary;
}

/** There is no list of owners to choose from: the filter comes from a tank's page or a link, and can be taken off. */
function OwnerFilter({ tanks }: { readonly tanks: readonly TankStatus[] | undefined }) {
  const { route } = usePage();
  if (route.owner === undefined) return null;
  const name = tanks?.find(({ owner_id }) => owner_id === route.owner)?.owner_name;
  return (
    <p class="owner-filter">
      {words.list.onlyOf(name ?? words.oneOwner)}{' '}
      <Link to={{ ...route, owner: undefined, page: 1 }}>{words.list.allOwners}</Link>
    </p>
  );
}
