// What is shown, as the page's address says it, so that a view can be sent to a colleague. Never the key.
import { useEffect, useState } from 'preact/hooks';
import type { QuarantineReason, UseCase } from 'tank-monitoring-client';

export const CONDITIONS = ['low', 'silent', 'never', 'all'] as const;
/** The four counts, of which one is chosen. */
export type Condition = (typeof CONDITIONS)[number];

export const USE_CASES = ['residential', 'commercial', 'industrial'] as const satisfies readonly UseCase[];
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

export const SORTS = ['fill_percentage', 'reported_at', 'created_at'] as const;
export type Sort = (typeof SORTS)[number];

export const SPANS = ['24h', '7d', '30d', '1y'] as const;
export type Span = (typeof SPANS)[number];

/** The API takes none that is shorter. */
export const SHORTEST_SEARCH = 2;

/** Of a tank's history: up to now, or own dates, both included. */
export type Range = { readonly span: Span } | { readonly from: string; readonly to: string };

/** A tank is added, or an open one edited: all of it, just its device, or its sensor. */
export type Form = 'add' | 'edit' | 'device' | 'sensor';

const VIEWS = ['list', 'map', 'uplinks'] as const;
/** The tanks, as a list or on a map, or the uplinks that wait. */
export type View = (typeof VIEWS)[number];

export interface Route {
  readonly view: View;
  readonly condition: Condition;
  readonly search: string;
  readonly useCase: UseCase | undefined;
  readonly owner: string | undefined;
  readonly sort: Sort | undefined;
  readonly page: number;
  /** Why uplinks wait. */
  readonly reason: QuarantineReason | undefined;
  /** The one that is open. */
  readonly uplink: string | undefined;
  readonly tank: string | undefined;
  readonly form: Form | undefined;
  readonly range: Range;
}

export const START: Route = {
  view: 'list',
  condition: 'all',
  search: '',
  useCase: undefined,
  owner: undefined,
  sort: undefined,
  page: 1,
  reason: undefined,
  uplink: undefined,
  tank: undefined,
  form: undefined,
  range: { span: '30d' },
};

const FORMS = ['add'] as const;
const FORMS_OF_TANK = ['edit', 'device', 'sensor'] as const;

/** Whatever makes no sense in an address is passed over: it shows the fleet, not an error. */
export function parseRoute(search: string): Route {
  const given = new URLSearchParams(search);
  const page = Number(given.get('page') ?? 1);
  const view = oneOf(VIEWS, given.get('view')) ?? 'list';
  return {
    view,
    condition: conditionOf(given),
    search: (given.get('q') ?? '').slice(0, 100),
    useCase: oneOf(USE_CASES, given.get('use_case')),
    owner: given.get('owner_id') ?? undefined,
    sort: oneOf(SORTS, given.get('sort')),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    reason: oneOf(REASONS, given.get('reason')),
    uplink: view === 'uplinks' ? (given.get('uplink') ?? undefined) : undefined,
    tank: given.get('tank') ?? undefined,
    form: oneOf(given.has('tank') ? FORMS_OF_TANK : FORMS, given.get('form')),
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
    owner_id: route.owner,
    q: route.search || undefined,
    sort: route.sort,
    page: route.page > 1 ? route.page : undefined,
    reason: route.view === 'uplinks' ? route.reason : undefined,
    uplink: route.uplink,
    tank: route.tank,
    form: route.form,
    ...(route.tank === undefined || range === START.range ? {} : range),
  };
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) address.set(name, String(value));
  }
  return address.size === 0 ? location.pathname : `?${address.toString()}`;
}

/** Neither a tank, a form nor the waiting uplinks cover it. */
export function isFleet({ view, tank, form }: Route): boolean {
  return view !== 'uplinks' && tank === undefined && form === undefined;
}

/** What is behind an open tank. */
export function behindTank({ view, uplink }: Route): string {
  return uplink === undefined ? view : 'uplink';
}

/** The parameters with which the API lists the tanks of this view. */
export function filterOf({ condition, search, useCase, owner }: Route) {
  return {
    low: condition === 'low' ? true : undefined,
    silent: condition === 'silent' ? true : undefined,
    reported: condition === 'never' ? false : undefined,
    use_case: useCase,
    owner_id: owner,
    q: search.trim().length >= SHORTEST_SEARCH ? search.trim() : undefined,
  };
}

/** Worst first: the emptiest, the longest silent, the newest of those that never reported. */
export function sortOf({ sort, condition }: Route): Sort {
  if (sort !== undefined) return sort;
  return condition === 'silent' ? 'reported_at' : condition === 'never' ? 'created_at' : 'fill_percentage';
}

export function go(route: Route, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(route));
  dispatchEvent(new PopStateEvent('popstate'));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.search));
  useEffect(() => {
    const read = () => setRoute(parseRoute(location.search));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  return route;
}

function conditionOf(given: URLSearchParams): Condition {
  if (given.get('low') === 'true') return 'low';
  if (given.get('silent') === 'true') return 'silent';
  return given.get('reported') === 'false' ? 'never' : 'all';
}

function rangeOf(given: URLSearchParams): Range {
  const [from, to] = [given.get('from') ?? '', given.get('to') ?? ''];
  if (isDate(from) && isDate(to) && from <= to) return { from, to };
  const span = oneOf(SPANS, given.get('span'));
  return span === undefined || span === '30d' ? START.range : { span };
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(Date.parse(text));
}

function oneOf<T extends string>(allowed: readonly T[], given: string | null): T | undefined {
  return allowed.find((one) => one === given);
}
