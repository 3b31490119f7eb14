// What happened in the fleet: by type, by owner, in a time that is chosen, each with owner and place.
import type { EventType, TankEvent, TankMonitoring } from 'tank-monitoring-client';
import { AsOf } from '../parts/as-of.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { Ago, useNow } from '../parts/when.js';
import { Pager } from '../list/pager.js';
import { EVENT_TYPES, go, START, type Route } from '../route.js';
import { RangePicker } from '../tank/range-picker.js';
import { boundsOf } from '../tank/range.js';
import { useFresh } from '../use-fresh.js';
import { count, counted, placeOf } from '../words.js';
import { HAPPENINGS } from './words.js';

const PAGE_SIZE = 50;
/** The list is not sorted by owner: so many events are looked at for those of one, and so many of them shown. */
const LOOKED_AT = 20_000;
const SHOWN = 500;

interface Props {
  readonly client: TankMonitoring;
  readonly route: Route;
  /** While a tank is shown the list waits behind it, as it was left. */
  readonly isBehind: boolean;
}

interface Found {
  readonly events: readonly TankEvent[];
  /** More than are shown; of one owner nobody knows how many. */
  readonly total: number;
  readonly pages: { readonly page: number; readonly total_pages: number } | undefined;
}

export function EventsView({ client, route, isBehind }: Props) {
  const { eventType, owner, range, page } = route;
  const question = JSON.stringify([eventType, owner, range, page]);
  const fresh = useFresh(isBehind ? undefined : question, (signal) => find(client, route, signal));
  const { data, isPrevious } = fresh;
  useTitle(isBehind ? undefined : 'Events');
  return (
    <article hidden={isBehind}>
      <div class="above">
        <Link to={START} class="back">
          <Icon name="back" />
          Back to the fleet
        </Link>
      </div>
      <header class="view-head">
        <h1 tabIndex={-1}>Events</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <TypeFilter route={route} />
        <RangePicker route={route} />
      </div>
      {owner !== undefined && (
        <p class="owner-filter">
          Only of {data?.events[0]?.data.owner.name ?? 'one owner'}.{' '}
          <Link to={{ ...route, owner: undefined, page: 1 }}>Show those of all owners</Link>
        </p>
      )}
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label="Events">
        <div class="summary">
          <p role="status">{data === undefined ? 'Loading…' : summaryOf(data)}</p>
          {data?.pages !== undefined && <Pager list={data.pages} route={route} label="Pages" />}
        </div>
        {data?.events.length === 0 && !isPrevious && (
          <Instead title="Nothing happened">
            <p>
              <Link to={{ ...START, view: 'events' }}>Show all events of the last 30 days</Link>
            </p>
          </Instead>
        )}
        {data !== undefined && data.events.length > 0 && (
          <EventTable events={data.events} route={route} isBusy={isPrevious} />
        )}
      </section>
    </article>
  );
}

async function find(client: TankMonitoring, route: Route, signal: AbortSignal): Promise<Found> {
  const wanted = { type: route.eventType, ...boundsOf(route.range) };
  if (route.owner === undefined) {
    const list = await client.events.page({ ...wanted, page: route.page, size: PAGE_SIZE }, { signal });
    return { events: list.data, total: list.total_items, pages: list };
  }
  const events: TankEvent[] = [];
  let left = LOOKED_AT;
  for await (const event of client.events.list({ ...wanted, size: 5_000 }, { signal })) {
    if (event.owner_id === route.owner) events.push(event);
    left -= 1;
    if (left === 0 || events.length === SHOWN) break;
  }
  return { events, total: events.length, pages: undefined };
}

function summaryOf({ events, total, pages }: Found): string {
  const isCut = pages === undefined && events.length === SHOWN;
  return isCut ? `The newest ${count(SHOWN)} events` : `${counted(total, 'event')}, newest first`;
}

function TypeFilter({ route }: { readonly route: Route }) {
  const choose = (value: string) =>
    go({ ...route, eventType: EVENT_TYPES.find((one) => one === value), page: 1 });
  return (
    <label>
      What happened
      <select value={route.eventType ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">Anything</option>
        {EVENT_TYPES.map((type: EventType) => (
          <option key={type} value={type}>
            A tank {HAPPENINGS[type].did}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TableProps {
  readonly events: readonly TankEvent[];
  readonly route: Route;
  readonly isBusy: boolean;
}

function EventTable({ events, route, isBusy }: TableProps) {
  const now = useNow(30_000);
  return (
    <table class="tanks event-table" aria-busy={isBusy}>
      <caption class="for-ears">Events</caption>
      <thead>
        <tr>
          <th scope="col">Tank</th>
          <th scope="col">What happened</th>
          <th scope="col">Owner and place</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, type, tank_id, owner_id, created_at, data }) => (
          <tr key={id}>
            <th scope="row" class="cell-tank">
              <Link to={{ ...route, tank: tank_id }} data-tank={tank_id}>
                {data.tank.name}
              </Link>
            </th>
            <td>
              <span class="first">
                <Icon name={HAPPENINGS[type].icon} /> {HAPPENINGS[type].did}
              </span>
              <span class="second">{HAPPENINGS[type].more(data)}</span>
            </td>
            <td class="above-row">
              <Link to={{ ...route, owner: owner_id, page: 1 }} class="first">
                {data.owner.name ?? 'Owner deleted'}
              </Link>
              <span class="second">{placeOf(data.location)}</span>
            </td>
            <td>
              <Ago at={created_at} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
