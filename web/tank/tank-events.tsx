// What the tank's alerts told last.
import type { List, TankEvent } from 'tank-monitoring-client';
import { EventList } from '../events/event-list.js';
import type { Fresh } from '../use-fresh.js';

export function TankEvents({ fresh: { data, trouble } }: { readonly fresh: Fresh<List<TankEvent>> }) {
  return (
    <section class="panel tank-events" aria-labelledby="events">
      <h2 id="events">Last events</h2>
      {data === undefined && <p class="second">{trouble === undefined ? 'Loading…' : 'Not known'}</p>}
      {data?.data.length === 0 && <p class="second">Nothing has happened to it yet.</p>}
      {data !== undefined && data.data.length > 0 && <EventList events={data} />}
    </section>
  );
}
