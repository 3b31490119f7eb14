// What is shown, as the page's address says it, so that a view can be sent to a colleague. Never the key.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventType, QuarantineReason, UseCase } from 'tank-monitoring-client';

export const CONDITIONS = ['low', 'silent', 'never', 'all'] as const;
/** The four counts, of which one is chosen. */
export type Condition = (typeof CONDITIONS)[number];

export const USE_CASES = ['residential', 'commercial', 'industrial'] as const satisfies readonly UseCase[];
/** Why somebody should look after a tank's sensor. */
export const SENSOR_NEEDS = ['low_battery', 'weak_signal'] as const;
export type SensorNeed = (typeof SENSOR_NEEDS)[number];
/** Why an uplink waits. */
export const REASONS = [
  'unknown_device',
  'ambiguous_device',
  'no_sensor',
  'rejected',
  'no_value',
  'not_a_number',
  'no_calibration',
  'out_of_range',
  'in_the_future',
  'malformed',
] as const satisfies readonly QuarantineReason[];

export const EVENT_TYPES = [
  'tank.low',
  'tank.recovered',
  'tank.refilled',
  'tank.silent',
  'tank.reporting',
] as const satisfies readonly EventType[];

export const SORTS = ['fill_percentage', 'alert_at', 'reported_at', 'created_at'] as const;
export type Sort = (typeof SORTS)[number];

export const SPANS = ['24h', '7d', '30d', '1y'] as const;
export type Span = (typeof SPANS)[number];

/** The API takes none that is shorter. */
export const SHORTEST_SEARCH = 2;

/** Of a tank's history: up to now, or own dates, both included. */
export type Range = { readonly span: Span } | { readonly from: string; readonly to: string };

/** A tank is added, an open one edited (all of it, just its device, or its sensor), or a deleted one restored. Or a customer is added or edited. */
export type Form = 'add' | 'edit' | 'device' | 'sensor' | 'restore' | 'customer';

/** How far the plan looks ahead: so many days, or until a day of the visitor's calendar. */
export const PLAN_DAYS = [3, 7, 14] as const;
export type Until = (typeof PLAN_DAYS)[number] | string;

const VIEWS = ['list', 'plan', 'map', 'events', 'customers', 'uplinks', 'settings'] as const;
/** The tanks, as a list, by the day of their delivery or on a map, what happened to them, their owners, the uplinks that wait, or the settings. */
export type View = (typeof VIEWS)[number];

export const SETTINGS = ['key', 'webhooks', 'activity'] as const;
/** A part of the settings. */
export type Setting = (typeof SETTINGS)[number];

/** What part of the map is seen. */
export interface Viewpoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

export interface Route {
  readonly view: View;
  readonly condition: Condition;
  readonly search: string;
  readonly useCase: UseCase | undefined;
  readonly sensorNeed: SensorNeed | undefined;
  readonly owner: string | undefined;
  readonly sort: Sort | undefined;
  readonly page: number;
  readonly until: Until;
  /** The percentage that a delivery fills a tank to. */
  readonly fillTo: number;
  /** Tanks that were ticked. They are not in the address, which many would make too long, but stay with the way back and a reload. */
  readonly chosen: readonly string[];
  /** Undefined: all tanks. */
  readonly viewpoint: Viewpoint | undefined;
  /** Why uplinks wait. */
  readonly reason: QuarantineReason | undefined;
  /** The one that is open. */
  readonly uplink: string | undefined;
  /** What happened. */
  readonly eventType: EventType | undefined;
  /** The one tank whose events are shown. */
  readonly eventsOf: string | undefined;
  /** The customer that is open. */
  readonly customer: string | undefined;
  readonly setting: Setting;
  /** The webhook endpoint that is open. */
  readonly endpoint: string | undefined;
  /** The one thing whose changes are shown. */
  readonly changesOf: string | undefined;
  readonly tank: string | undefined;
  readonly form: Form | undefined;
  /** Of a tank that is added for it. */
  readonly device: string | undefined;
  readonly range: Range;
}

export const START: Route = {
  view: 'list',
  condition: 'all',
  search: '',
  useCase: undefined,
  sensorNeed: undefined,
  owner: undefined,
  sort: undefined,
  page: 1,
  until: 7,
  fillTo: 90,
  chosen: [],
  viewpoint: undefined,
  reason: undefined,
  uplink: undefined,
  eventType: undefined,
  eventsOf: undefined,
  customer: undefined,
  setting: 'key',
  endpoint: undefined,
  changesOf: undefined,
  tank: undefined,
  form: undefined,
  device: undefined,
  range: { span: '30d' },
};

const FORMS = ['add', 'customer'] as const;
const FORMS_OF_TANK = ['edit', 'device', 'sensor', 'restore'] as const;

/** Whatever makes no sense in an address is passed over: it shows the fleet, not an error. */
export function parseRoute(search: string, state?: unknown): Route {
  const given = new URLSearchParams(search);
  const page = Number(given.get('page') ?? 1);
  const fillTo = Number(given.get('fill_to') ?? NaN);
  const view = oneOf(VIEWS, given.get('view')) ?? 'list';
  return {
    view,
    condition: conditionOf(given),
    search: (given.get('q') ?? '').slice(0, 100),
    useCase: oneOf(USE_CASES, given.get('use_case')),
    sensorNeed: SENSOR_NEEDS.find((need) => given.get(need) === 'true'),
    owner: given.get('owner_id') ?? undefined,
    sort: oneOf(SORTS, given.get('sort')),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    until: untilOf(given.get('until') ?? ''),
    fillTo: fillTo >= 1 && fillTo <= 100 ? fillTo : START.fillTo,
    chosen: chosenIn(state),
    viewpoint: viewpointIn(given.get('at') ?? ''),
    reason: oneOf(REASONS, given.get('reason')),
    uplink: view === 'uplinks' ? (given.get('uplink') ?? undefined) : undefined,
    eventType: oneOf(EVENT_TYPES, given.get('type')),
    eventsOf: view === 'events' ? (given.get('events_of') ?? undefined) : undefined,
    customer: view === 'customers' ? (given.get('customer') ?? undefined) : undefined,
    setting: oneOf(SETTINGS, given.get('setting')) ?? 'key',
    endpoint: view === 'settings' ? (given.get('endpoint') ?? undefined) : undefined,
    changesOf: view === 'settings' ? (given.get('object_id') ?? undefined) : undefined,
    tank: given.get('tank') ?? undefined,
    form: oneOf(given.has('tank') ? FORMS_OF_TANK : FORMS, given.get('form')),
    device: given.get('form') === 'add' ? (given.get('device_id') ?? undefined) : undefined,
    range: rangeOf(given),
  };
}

/** The names are those of the API's parameters, where it has them. */
export function addressOf(route: Route): string {
  const { condition, range } = route;
  const parts: Record<string, string | number | undefined> = {
    view: route.view === 'list' ? undefined : route.view,
    low: condition === 'low' ? 'true' : undefined,
    silent: condition === 'silent' ? 'true' : undefined,
    reported: condition === 'never' ? 'false' : undefined,
    use_case: route.useCase,
    ...(route.sensorNeed && { [route.sensorNeed]: 'true' }),
    owner_id: route.owner,
    q: route.search || undefined,
    sort: route.sort,
    page: route.page > 1 ? route.page : undefined,
    until: isOfTanks(route.view) && route.until !== START.until ? route.until : undefined,
    fill_to: isOfTanks(route.view) && route.fillTo !== START.fillTo ? route.fillTo : undefined,
    at: route.view === 'map' && route.viewpoint !== undefined ? atOf(route.viewpoint) : undefined,
    reason: route.view === 'uplinks' ? route.reason : undefined,
    uplink: route.uplink,
    type: route.view === 'events' ? route.eventType : undefined,
    events_of: route.view === 'events' ? route.eventsOf : undefined,
    customer: route.view === 'customers' ? route.customer : undefined,
    setting: route.view === 'settings' ? route.setting : undefined,
    endpoint: route.view === 'settings' ? route.endpoint : undefined,
    object_id: route.view === 'settings' ? route.changesOf : undefined,
    tank: route.tank,
    form: route.form,
    device_id: route.form === 'add' ? route.device : undefined,
    ...((route.tank === undefined && route.view !== 'events') || range === START.range ? {} : range),
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
export function behindTank({ view, uplink, customer }: Route): string {
  return uplink !== undefined ? 'uplink' : customer !== undefined ? 'customer' : view;
}

/** The parameters with which the API lists the tanks of this view. */
export function filterOf({ condition, search, useCase, sensorNeed, owner }: Route) {
  return {
    low: condition === 'low' ? true : undefined,
    silent: condition === 'silent' ? true : undefined,
    reported: condition === 'never' ? false : undefined,
    use_case: useCase,
    low_battery: sensorNeed === 'low_battery' ? true : undefined,
    weak_signal: sensorNeed === 'weak_signal' ? true : undefined,
    owner_id: owner,
    q: search.trim().length >= SHORTEST_SEARCH ? searchable(search) : undefined,
  };
}

/** As much of a text as can be searched for: five words. */
export function searchable(text: string): string {
  return text.trim().split(/\s+/u, 5).join(' ').slice(0, 100);
}

/** Worst first: the emptiest, the longest silent, the newest of those that never reported. */
export function sortOf({ sort, condition }: Route): Sort {
  if (sort !== undefined) return sort;
  return condition === 'silent' ? 'reported_at' : condition === 'never' ? 'created_at' : 'fill_percentage';
}

const ROUTED = 'routed';
let mayLeave = () => true;

/** Asked before anything else is shown. */
export function guardLeaving(guard: () => boolean): () => void {
  mayLeave = guard;
  return () => {
    if (mayLeave === guard) mayLeave = () => true;
  };
}

export function isFreeToLeave(): boolean {
  return mayLeave();
}

export function go(route: Route, { replace = false } = {}): void {
  if (!mayLeave()) return;
  history[replace ? 'replaceState' : 'pushState']({ chosen: route.chosen }, '', addressOf(route));
  dispatchEvent(new Event(ROUTED));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.search, history.state));
  const latest = useRef(route);
  latest.current = route;
  useEffect(() => {
    const read = () => setRoute(parseRoute(location.search, history.state));
    const whenBack = () => {
      if (mayLeave()) read();
      else history.pushState({ chosen: latest.current.chosen }, '', addressOf(latest.current));
    };
    addEventListener(ROUTED, read);
    addEventListener('popstate', whenBack);
    return () => {
      removeEventListener(ROUTED, read);
      removeEventListener('popstate', whenBack);
    };
  }, []);
  return route;
}

function conditionOf(given: URLSearchParams): Condition {
  if (given.get('low') === 'true') return 'low';
  if (given.get('silent') === 'true') return 'silent';
  return given.get('reported') === 'false' ? 'never' : 'all';
}

function untilOf(given: string): Until {
  return isDate(given) ? given : (PLAN_DAYS.find((days) => String(days) === given) ?? START.until);
}

function chosenIn(state: unknown): readonly string[] {
  const { chosen } = (state ?? {}) as { readonly chosen?: unknown };
  return Array.isArray(chosen) ? chosen.filter((id) => typeof id === 'string') : [];
}

function rangeOf(given: URLSearchParams): Range {
  const [from, to] = [given.get('from') ?? '', given.get('to') ?? ''];
  if (isDate(from) && isDate(to) && from <= to) return { from, to };
  const span = oneOf(SPANS, given.get('span'));
  return span === undefined || span === '30d' ? START.range : { span };
}

/** To some ten metres. */
function atOf({ latitude, longitude, zoom }: Viewpoint): string {
  return [latitude.toFixed(4), longitude.toFixed(4), zoom.toFixed(2)].join(',');
}

function viewpointIn(given: string): Viewpoint | undefined {
  const [latitude = NaN, longitude = NaN, zoom = NaN, ...more] = given.split(',').map(Number);
  const isOne = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 24;
  return isOne && more.length === 0 ? { latitude, longitude, zoom } : undefined;
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(Date.parse(text));
}

function oneOf<T extends string>(allowed: readonly T[], given: string | null): T | undefined {
  return allowed.find((one) => one === given);
}
