// What happened, newest first: in words, with the time it was recorded.
import type { List, TankEvent } from 'tank-monitoring-client';
import { capitalised } from '../format.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Ago } from '../parts/when.js';
import { START, type Route } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import { EVENT_ICONS, moreOf } from './event-words.js';
import { words } from '../words/words.js';

interface Props {
  readonly events: List<TankEvent>;
  /** Where each event's tank is opened from; without it they are all of the one tank that is shown. */
  readonly from?: Route;
}

export function EventList({ events: { data, total_items }, from }: Props) {
  return (
    <>
      <ul class="events">
        {data.map((event) => (
          <li key={event.id}>
            <Icon name={EVENT_ICONS[event.type]} />
            <What event={event} from={from} />
            <Ago at={event.created_at} />
          </li>
        ))}
      </ul>
      {total_items > data.length && <p class="second">{words.event.newestOf(data.length, total_items)}</p>}
    </>
  );
}

function What({ event, from }: { readonly event: TankEvent; readonly from: Route | undefined }) {
  const did = words.event.did[event.type];
  return (
    <span class="what">
      {from === undefined ? (
        <span class="first">{capitalised(did)}</span>
      ) : (
        <>
          <Link to={{ ...from, tank: event.tank_id }}>{event.data.tank.name}</Link> {did}
        </>
      )}{' '}
      <span class="second">{moreOf(event)}</span>
    </span>
  );
}

/** The newest of the fleet: one line tells the last of them and opens to the others, so that the list of tanks stays where it is. */
export function NewestEvents({ fresh: { data, trouble } }: { readonly fresh: Fresh<List<TankEvent>> }) {
  const { route } = usePage();
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
              {last.data.tank.name} {words.event.did[last.type]}, <Ago at={last.created_at} />
            </>
          )}
        </span>
      </summary>
      {data !== undefined && last !== undefined && (
        <>
          <EventList events={data} from={route} />
          <p>
            <Link to={{ ...START, view: 'events' }}>{words.settings.allEvents}</Link>
          </p>
        </>
      )}
      {data !== undefined && last === undefined && <p class="second">{words.event.whenTold}</p>}
    </details>
  );
}
