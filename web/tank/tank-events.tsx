// What the tank's alerts told last, at the end of the time that is shown.
import type { List, TankEvent } from 'tank-monitoring-client';
import { EventList } from '../events/event-list.js';
import { Link } from '../parts/link.js';
import { START } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import type { Range } from './range.js';

const SHOWN = 10;

interface Props {
  readonly fresh: Fresh<List<TankEvent>>;
  readonly tankId: string;
  readonly range: Range;
}

export function TankEvents({ fresh: { data, trouble }, tankId, range }: Props) {
  return (
    <section class="panel tank-events" aria-labelledby="events">
      <h2 id="events">Last events</h2>
      {data === undefined && <p class="second">{trouble === undefined ? 'Loading…' : 'Not known'}</p>}
      {data?.data.length === 0 && (
        <p class="second">
          Nothing {'from' in range ? 'had happened to it by then' : 'has happened to it yet'}.
        </p>
      )}
      {data !== undefined && data.data.length > 0 && (
        <EventList events={{ ...data, data: data.data.slice(0, SHOWN) }} />
      )}
      <p>
        <Link to={{ ...START, view: 'events', eventsOf: tankId, range: { span: '1y' } }}>
          All events of this tank
        </Link>
      </p>
    </section>
  );
}
