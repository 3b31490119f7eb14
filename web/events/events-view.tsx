// What happened in the fleet: by type, by owner, of one tank, in a time that is chosen, each with owner and place.
import type { TankEvent, TankMonitoring } from 'tank-monitoring-client';
import { AsOf } from '../parts/as-of.js';
import { Back } from '../parts/back.js';
import { Choice } from '../parts/choice.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { Ago } from '../parts/when.js';
import { Summary } from '../list/summary.js';
import { EVENT_TYPES, go, START, type Route } from '../route.js';
import { RangePicker } from '../tank/range-picker.js';
import { boundsOf } from '../tank/range.js';
import { useFresh } from '../use-fresh.js';
import { placeOf, shortTime } from '../format.js';
import { EVENT_ICONS, moreOf } from './event-words.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { columns } = words.event;
const COLUMNS = {
  [columns.tank]: '20%',
  [columns.what]: '35%',
  [columns.owner]: '30%',
  [columns.when]: '15%',
};

interface Props {
  readonly client: TankMonitoring;
  readonly route: Route;
  /** While a tank is shown the list waits behind it, as it was left. */
  readonly isBehind: boolean;
}

export function EventsView({ client, route, isBehind }: Props) {
  const { eventType: type, owner, eventsOf, range, page } = route;
  const asked = { type, owner_id: owner, tank_id: eventsOf, page, size: PAGE_SIZE };
  const fresh = useFresh(isBehind ? undefined : ['events', asked, range], (signal) =>
    client.events.page({ ...asked, ...boundsOf(range) }, { signal }),
  );
  const { data: list, isPrevious } = fresh;
  useTitle(isBehind ? undefined : words.views.events);
  return (
    <article hidden={isBehind}>
      <Back to={START} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.events}</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <Choice
          label={words.event.what}
          none={words.event.anything}
          choices={EVENT_TYPES}
          inWords={(one) => words.event.aTank(words.event.did[one])}
          chosen={type}
          onChoose={(eventType) => go({ ...route, eventType, page: 1 })}
        />
        <RangePicker route={{ ...route, page: 1 }} />
      </div>
      {owner !== undefined && (
        <p class="owner-filter">
          {words.event.onlyOf(
            list?.data.find((event) => event.owner_id === owner)?.data.owner.name ?? words.oneOwner,
          )}{' '}
          <Link to={{ ...route, owner: undefined, page: 1 }}>{words.list.allOwners}</Link>
        </p>
      )}
      {eventsOf !== undefined && (
        <p class="owner-filter">
          {words.event.onlyOf(
            list?.data.find((event) => event.tank_id === eventsOf)?.data.tank.name ?? words.event.oneTank,
          )}{' '}
          <Link to={{ ...route, eventsOf: undefined, page: 1 }}>{words.event.allTanks}</Link>
        </p>
      )}
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label={words.views.events}>
        <Summary list={list} said={list && words.newestFirst(words.events(list.total_items))} route={route} />
        {list?.data.length === 0 && !isPrevious && (
          <Instead title={words.event.none}>
            <p>
              <Link to={{ ...START, view: 'events' }}>{words.event.showAll}</Link>
            </p>
          </Instead>
        )}
        <Table
          name="event-table"
          caption={words.views.events}
          columns={COLUMNS}
          items={list?.data}
          isBusy={isPrevious}
        >
          {(event, now) => <EventRow key={event.id} event={event} route={route} now={now} />}
        </Table>
      </section>
    </article>
  );
}

function EventRow({ event, route, now }: { event: TankEvent; route: Route; now: number }) {
  const { type, tank_id, owner_id, created_at, data } = event;
  return (
    <tr>
      <th scope="row" class="cell-tank">
        <Link to={{ ...route, tank: tank_id }} data-tank={tank_id}>
          {data.tank.name}
        </Link>
        <span class="second">{data.tank.custom_id}</span>
      </th>
      <td>
        <span class="first">
          <Icon name={EVENT_ICONS[type]} /> {words.event.did[type]}
        </span>
        <span class="second">{moreOf(event)}</span>
      </td>
      <td class="above-row">
        <Link to={{ ...route, owner: owner_id, page: 1 }} class="first">
          {data.owner.name ?? words.ownerDeleted}
        </Link>
        <span class="second">{placeOf(data.location)}</span>
      </td>
      <td>
        <Ago at={created_at} now={now} />
        <span class="second">{shortTime(Date.parse(created_at))}</span>
      </td>
    </tr>
  );
}
