// What is shown, as the page's address says it, so that a view can be sent to a colleague. Never the key.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { EventType, QuarantineReason, UseCase } from 'tank-monitoring-client';
import { navigate, useLocationProperty } from 'wouter-preact/use-browser-location';
import { isDate } from './calendar.js';
import { searchable } from './format.js';
import { rangeIn } from './tank/range.js';
import { words } from './words/words.js';

/** The four counts, of which one is chosen, with the parameters of each in the API and in the address. */
const CONDITION_FILTERS = {
  low: { low: true },
  silent: { silent: true },
  never: { reported: false },
  all: {},
} as const;
type Condition = keyof typeof CONDITION_FILTERS;
export const CONDITIONS = Object.keys(CONDITION_FILTERS) as Condition[];

export const USE_CASES = ['residential', 'commercial', 'industrial'] as const satisfies readonly UseCase[];
/** Why somebody should look after a tank's sensor. */
export const SENSOR_NEEDS = ['low_battery', 'weak_signal'] as const;
export type SensorNeed = (typeof SENSOR_NEEDS)[number];
/** Why an uplink waits. */
export const REASONS = Object.keys(words.uplink.reasons) as QuarantineReason[];

export const EVENT_TYPES = Object.keys(words.event.did) as EventType[];

export const SORTS = ['fill_percentage', 'empty_at', 'alert_at', 'reported_at', 'created_at'] as const;
/** Of the plan, whose days are those of either. */
export const PLAN_SORTS = ['empty_at', 'alert_at'] as const satisfies readonly Sort[];
export type Sort = (typeof SORTS)[number];

/** The API takes none that is shorter. */
export const SHORTEST_SEARCH = 2;

/** The installation's, unless an address says another. */
const FILL_TO = Number(document.body.dataset['fillTo']);

/** How far the plan looks ahead: so many days, or until a day of the visitor's calendar. */
export const PLAN_DAYS = [3, 7, 14] as const;
export type Until = (typeof PLAN_DAYS)[number] | string;

const VIEWS = ['list', 'plan', 'map', 'runs', 'events', 'customers', 'uplinks', 'settings'] as const;
/** The tanks, as a list, by the day of their delivery or on a map, the runs of trucks, what happened to them, their owners, the uplinks that wait, or the settings. */
export type View = (typeof VIEWS)[number];

export const SETTINGS = ['key', 'users', 'keys', 'recipients', 'sources', 'webhooks', 'activity'] as const;

/** What part of the map is seen. */
interface Viewpoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

/** In place of an id: of one that is made now. */
export const NEW = '+';

/** What is shown. */
export type Route = Readonly<ReturnType<typeof parseRoute>>;

const CHOSEN = 'chosen=';
const FORMS = ['add', 'customer'] as const;
const FORMS_OF_TANK = ['edit', 'device', 'sensor'] as const;

/** Whatever makes no sense in an address is passed over: it shows the fleet, not an error. */
export function parseRoute(address: string) {
  const [search, fragment] = address.split('#');
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) ?? undefined;
  const [page, fillTo, truck] = ['page', 'fill_to', 'truck'].map((name) => Number(text(name))) as [number, number, number]; // prettier-ignore
  const view = oneOf(VIEWS, text('view')) ?? 'list';
  const idIn = (one: View, name: string) => (view === one ? text(name) : undefined);
  return {
    view,
    condition: CONDITIONS.find((one) => isSaid(CONDITION_FILTERS[one], given)) ?? 'all',
    search: (text('q') ?? '').slice(0, 100),
    useCase: oneOf(USE_CASES, text('use_case')),
    sensorNeed: SENSOR_NEEDS.find((need) => text(need) === 'true'),
    owner: text('owner_id'),
    /** Undefined: as the condition has it. */
    sort: oneOf(SORTS, text('sort')),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    until: untilIn(text('until')),
    /** The percentage that a delivery fills a tank to. */
    fillTo: fillTo >= 1 && fillTo <= 100 ? fillTo : FILL_TO,
    /** What the truck holds. */
    truck: truck > 0 && truck <= 1e9 ? truck : undefined,
    /** Tanks that were ticked. After the #, which is not sent to the service: there is room for thousands. */
    chosen: chosenIn(fragment),
    /** Undefined: all tanks. */
    viewpoint: viewpointIn(text('at')),
    /** Why uplinks wait. */
    reason: oneOf(REASONS, text('reason')),
    /** The one that is open. */
    uplink: idIn('uplinks', 'uplink'),
    /** What happened. */
    eventType: oneOf(EVENT_TYPES, text('type')),
    /** The one tank whose events are shown. */
    eventsOf: idIn('events', 'events_of'),
    /** The one that is open. */
    customer: idIn('customers', 'customer'),
    run: idIn('runs', 'run'),
    setting: oneOf(SETTINGS, text('setting')) ?? 'key',
    /** The webhook endpoint that is open. */
    endpoint: idIn('settings', 'endpoint'),
    /** The recipient that is open. */
    recipient: idIn('settings', 'recipient'),
    /** The source or profile that is open, or the source whose messages a profile is made for. */
    source: idIn('settings', 'source'),
    profile: idIn('settings', 'profile'),
    /** The uplink from whose message they are made. */
    from: idIn('settings', 'uplink'),
    /** The one thing whose changes are shown. */
    changesOf: idIn('settings', 'object_id'),
    tank: text('tank'),
    /** A tank or customer is added, or an open one edited: of a tank all, just its device, or its sensor. */
    form: oneOf(given.has('tank') ? FORMS_OF_TANK : FORMS, text('form')),
    /** Of a tank that is added for it. */
    device: text('form') === 'add' ? text('device_id') : undefined,
    range: rangeIn(text('from'), text('to'), text('span')),
  };
}

export const START: Route = parseRoute('');

/** The names are those of the API's parameters, where it has them. */
export function addressOf(route: Route): string {
  const { view, range } = route;
  const inView = <T>(one: View, value: T) => (view === one ? value : undefined);
  const parts: Record<string, string | number | boolean | undefined> = {
    view: view === 'list' ? undefined : view,
    ...CONDITION_FILTERS[route.condition],
    use_case: route.useCase,
    ...(route.sensorNeed && { [route.sensorNeed]: true }),
    owner_id: route.owner,
    q: route.search || undefined,
    sort: route.sort,
    page: route.page > 1 ? route.page : undefined,
    until: isOfTanks(view) && route.until !== START.until ? route.until : undefined,
    fill_to: isOfTanks(view) && route.fillTo !== START.fillTo ? route.fillTo : undefined,
    truck: isOfTanks(view) ? route.truck : undefined,
    at: inView('map', textOf(route.viewpoint)),
    reason: inView('uplinks', route.reason),
    uplink: route.uplink ?? inView('settings', route.from),
    type: inView('events', route.eventType),
    events_of: inView('events', route.eventsOf),
    customer: inView('customers', route.customer),
    run: inView('runs', route.run),
    setting: inView('settings', route.setting),
    endpoint: inView('settings', route.endpoint),
    recipient: inView('settings', route.recipient),
    source: inView('settings', route.source),
    profile: inView('settings', route.profile),
    object_id: inView('settings', route.changesOf),
    tank: route.tank,
    form: route.form,
    device_id: route.form === 'add' ? route.device : undefined,
    ...((route.tank === undefined && view !== 'events') || range === START.range ? {} : range),
  };
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) address.set(name, String(value));
  }
  return address.size === 0 ? location.pathname : `?${address.toString()}`;
}

/** Neither a tank, a form nor another view covers it. */
export function isFleet({ view, tank, form }: Route): boolean {
  return isOfTanks(view) && tank === undefined && form === undefined;
}

/** The views of the fleet's tanks; the others cover them. */
export function isOfTanks(view: View): boolean {
  return view === 'list' || view === 'plan' || view === 'map';
}

/** What is behind an open tank. */
export function behindTank({ view, uplink, customer }: Route): keyof typeof words.backTo {
  return uplink !== undefined ? 'uplink' : customer !== undefined ? 'customer' : view;
}

/** The parameters with which the API lists the tanks of this view. */
export function filterOf({ condition, search, useCase, sensorNeed, owner }: Route) {
  return {
    ...CONDITION_FILTERS[condition],
    use_case: useCase,
    low_battery: sensorNeed === 'low_battery' || undefined,
    weak_signal: sensorNeed === 'weak_signal' || undefined,
    owner_id: owner,
    q: search.trim().length >= SHORTEST_SEARCH ? searchable(search) : undefined,
  };
}

/** Worst first: the emptiest, the longest silent, the newest of those that never reported. */
export function sortOf({ view, sort, condition }: Route): Sort {
  if (view === 'plan') return PLAN_SORTS.find((one) => one === sort) ?? 'empty_at';
  if (sort !== undefined) return sort;
  return condition === 'silent' ? 'reported_at' : condition === 'never' ? 'created_at' : 'fill_percentage';
}

interface Guard {
  /** Whether something would be lost. */
  readonly isNeeded: () => boolean;
  /** Asks, and leaves once that is allowed. */
  readonly ask: (leave: () => void) => void;
}

let guard: Guard | undefined;

/** Asked before anything else is shown. */
export function guardLeaving(one: Guard): () => void {
  guard = one;
  return () => {
    if (guard === one) guard = undefined;
  };
}

/** At once, or when somebody has agreed to lose what is not saved. */
export function leaveBy(leave: () => void): void {
  if (guard?.isNeeded() === true) guard.ask(leave);
  else leave();
}

export function go(route: Route, { replace = false } = {}): void {
  leaveBy(() => navigate(wholeAddressOf(route), { replace }));
}

export function useRoute(): Route {
  const address = useLocationProperty(() => location.search + location.hash);
  const latest = useRef(address);
  useEffect(() => void (latest.current = address), [address]);
  // A layout effect comes before the router listens: the window calls its listeners in the order in which they came.
  useLayoutEffect(() => {
    const whenBack = (event: Event) => {
      if (guard?.isNeeded() !== true) return;
      event.stopImmediatePropagation(); // nobody else hears of it
      navigate(latest.current === '' ? location.pathname : latest.current);
      guard.ask(() => history.back()); // to where it was going: that is the entry before now
    };
    addEventListener('popstate', whenBack);
    return () => removeEventListener('popstate', whenBack);
  }, []);
  return useMemo(() => parseRoute(address), [address]);
}

function isSaid(parameters: object, given: URLSearchParams): boolean {
  return Object.entries(parameters).every(([name, value]) => given.get(name) === String(value));
}

function untilIn(given = ''): Until {
  return isDate(given) ? given : (PLAN_DAYS.find((days) => String(days) === given) ?? 7);
}

function chosenIn(fragment = ''): readonly string[] {
  return fragment.startsWith(CHOSEN) ? fragment.slice(CHOSEN.length).split(',').map(decoded) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** With what is chosen, which links leave to the click: each of them would be as long. */
export function wholeAddressOf(route: Route): string {
  const { chosen } = route;
  return (
    addressOf(route) + (chosen.length === 0 ? '' : `#${CHOSEN}${chosen.map(encodeURIComponent).join(',')}`)
  );
}

/** As the address has it: to some ten metres. */
export function textOf(viewpoint: Viewpoint | undefined): string | undefined {
  if (viewpoint === undefined) return undefined;
  const { latitude, longitude, zoom } = viewpoint;
  return [latitude.toFixed(4), longitude.toFixed(4), zoom.toFixed(2)].join(',');
}

function viewpointIn(given = ''): Viewpoint | undefined {
  const [latitude = NaN, longitude = NaN, zoom = NaN, ...more] = given.split(',').map(Number);
  const isOne = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 24;
  return isOne && more.length === 0 ? { latitude, longitude, zoom } : undefined;
}

function oneOf<T extends string>(allowed: readonly T[], given: string | undefined): T | undefined {
  return allowed.find((one) => one === given);
}
