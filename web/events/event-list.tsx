// What happened, newest first: in words, with the time it was recorded.
import type { List, TankEvent } from 'tank-monitoring-client';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Ago, useNow } from '../parts/when.js';
import type { Route } from '../route.js';
import { capitalised } from '../format.js';
import { EVENT_ICONS, moreOf } from './event-words.js';
import { words } from '../words/words.js';

interface Props {
  readonly events: List<TankEvent>;
  /** Where each event's tank is opened from; without it they are all of the one tank that is shown. */
  readonly from?: Route;
}

export function EventList({ events: { data, total_items }, from }: Props) {
  const now = useNow(30_000);
  return (
    <>
      <ul class="events">
        {data.map((event) => (
          <li key={event.id}>
            <Icon name={EVENT_ICONS[event.type]} />
            <What event={event} from={from} />
            <Ago at={event.created_at} now={now} />
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
