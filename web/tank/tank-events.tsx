// What the tank's alerts told last, at the end of the time that is shown.
import type { List, TankEvent } from 'tank-monitoring-client';
import { EventList } from '../events/event-list.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { START } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const SHOWN = 10;

interface Props {
  readonly fresh: Fresh<List<TankEvent>>;
  readonly tankId: string;
}

export function TankEvents({ fresh: { data, trouble }, tankId }: Props) {
  const { range } = usePage().route;
  return (
    <section class="panel tank-events" aria-labelledby="events">
      <h2 id="events">{words.tank.lastEvents}</h2>
      {data === undefined && <p class="second">{trouble === undefined ? words.loading : words.notKnown}</p>}
      {data?.data.length === 0 && (
        <p class="second">{'from' in range ? words.tank.nothingThen : words.tank.nothingYet}</p>
      )}
      {data !== undefined && data.data.length > 0 && (
        <EventList events={{ ...data, data: data.data.slice(0, SHOWN) }} />
      )}
      <p>
        <Link to={{ ...START, view: 'events', eventsOf: tankId, range: { span: '1y' } }}>
          {words.tank.allEvents}
        </Link>
      </p>
    </section>
  );
}
