// What happened in the fleet: by type, by owner, of one tank, in a time that is chosen, each with owner and place.
import type { TankEvent } from 'tank-monitoring-client';
import { placeOf, shortTime } from '../format.js';
import { usePage } from '../page.js';
import { Choice } from '../parts/choice.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Listing, pageOf } from '../parts/listing.js';
import { View, type ListViewProps } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import { EVENT_TYPES, go, START } from '../route.js';
import { RangePicker } from '../tank/range-picker.js';
import { boundsOf } from '../tank/range.js';
import { useFresh } from '../use-fresh.js';
import { EVENT_ICONS, moreOf } from './event-words.js';
import { words } from '../words/words.js';

const { did } = words.event;

export function EventsView({ isBehind }: ListViewProps) {
  const { client, route } = usePage();
  const { eventType: type, owner, eventsOf, range } = route;
  const asked = { type, owner_id: owner, tank_id: eventsOf, ...pageOf(route) };
  const fresh = useFresh(isBehind ? undefined : ['events', asked, range], (signal) =>
    client.events.page({ ...asked, ...boundsOf(range) }, { signal }),
  );
  const { data: list } = fresh;
  const all = <Link to={{ ...START, view: 'events' }}>{words.event.showAll}</Link>;
  const ownerOf = ({ owner_id, data }: TankEvent) => (
    <Link to={{ ...route, owner: owner_id, page: 1 }}>{data.owner.name ?? words.ownerDeleted}</Link>
  );
  return (
    <View title={words.views.events} fresh={[fresh]} isBehind={isBehind}>
      <div class="filters">
        <Choice
          label={words.event.what}
          none={words.event.anything}
          choices={EVENT_TYPES}
          inWords={(one) => words.event.aTank(did[one])}
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
      <Listing
        fresh={fresh}
        name="event-table"
        title={words.views.events}
        said={words.events}
        none={{ title: words.event.none, note: all }}
        row={({ id, tank_id }) => ({ key: id, to: { ...route, tank: tank_id }, 'data-tank': tank_id })}
        columns={[
          [words.tank.one, '20%', ({ data: { tank } }) => [tank.name, tank.custom_id]],
          [words.event.what, '35%', (event) => [whatHappened(event), moreOf(event)]],
          [words.ownerAndPlace, '30%', (event) => [ownerOf(event), placeOf(event.data.location)]],
          [words.when, '15%', ({ created_at: at }) => [<Ago key={at} at={at} />, shortTime(Date.parse(at))]],
        ]}
      />
    </View>
  );
}

const whatHappened = ({ type }: TankEvent) => (
  <>
    <Icon name={EVENT_ICONS[type]} /> {did[type]}
  </>
);
