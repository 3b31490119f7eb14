// The newest events of the fleet. One line tells the last of them and opens to the others, so that the list of tanks stays
// where it is, whatever happens.
import type { List, TankEvent } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { Ago, useNow } from '../parts/when.js';
import { START } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import { EventList } from './event-list.js';
import { words } from '../words/words.js';

export function NewestEvents({ fresh: { data, trouble } }: { readonly fresh: Fresh<List<TankEvent>> }) {
  const { route } = usePage();
  const now = useNow(30_000);
  const last = data?.data[0];
  return (
    <details class="newest">
      <summary>
        <h2>{words.event.newest}</h2>
        <span class="second">
          {data === undefined && (trouble === undefined ? words.loading : words.notKnown)}
          {data !== undefined && last === undefined && words.sensor.noneYet}
          {last !== undefined && (
            <>
              {last.data.tank.name} {words.event.did[last.type]}, <Ago at={last.created_at} now={now} />
            </>
          )}
        </span>
      </summary>
      {data !== undefined && last !== undefined && (
        <>
          <EventList events={data} from={route} />
          <p>
            <Link to={{ ...START, view: 'events' }}>{words.event.all}</Link>
          </p>
        </>
      )}
      {data !== undefined && last === undefined && <p class="second">{words.event.whenTold}</p>}
    </details>
  );
}
