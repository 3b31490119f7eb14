// What happened in the fleet: by type, by owner, of one tank, in a time that is chosen, each with owner and place.
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
import { counted, placeOf } from '../words.js';
import { HAPPENINGS } from './words.js';

const PAGE_SIZE = 50;

interface Props {
  readonly client: TankMonitoring;
  readonly route: Route;
  /** While a tank is shown the list waits behind it, as it was left. */
  readonly isBehind: boolean;
}

export function EventsView({ client, route, isBehind }: Props) {
  const { eventType: type, owner, eventsOf, range, page } = route;
  const asked = { type, owner_id: owner, tank_id: eventsOf, page, size: PAGE_SIZE };
  const fresh = useFresh(isBehind ? undefined : JSON.stringify([asked, range]), (signal) =>
    client.events.page({ ...asked, ...boundsOf(range) }, { signal }),
  );
  const { data: list, isPrevious } = fresh;
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
        <RangePicker route={{ ...route, page: 1 }} />
      </div>
      {owner !== undefined && (
        <p class="owner-filter">
          Only of {list?.data.find((event) => event.owner_id === owner)?.data.owner.name ?? 'one owner'}.{' '}
          <Link to={{ ...route, owner: undefined, page: 1 }}>Show those of all owners</Link>
        </p>
      )}
      {eventsOf !== undefined && (
        <p class="owner-filter">
          Only of {list?.data.find((event) => event.tank_id === eventsOf)?.data.tank.name ?? 'one tank'}.{' '}
          <Link to={{ ...route, eventsOf: undefined, page: 1 }}>Show those of all tanks</Link>
        </p>
      )}
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label="Events">
        <div class="summary">
          <p role="status">
            {list === undefined ? 'Loading…' : `${counted(list.total_items, 'event')}, newest first`}
          </p>
          {list !== undefined && <Pager list={list} route={route} label="Pages" />}
        </div>
        {list?.data.length === 0 && !isPrevious && (
          <Instead title="Nothing happened">
            <p>
              <Link to={{ ...START, view: 'events' }}>Show all events of the last 30 days</Link>
            </p>
          </Instead>
        )}
        {list !== undefined && list.data.length > 0 && (
          <EventTable events={list.data} route={route} isBusy={isPrevious} />
        )}
      </section>
    </article>
  );
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
