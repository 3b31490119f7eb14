// What happened, newest first: in words, with the time it was recorded.
import type { List, TankEvent } from 'tank-monitoring-client';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { Ago, useNow } from '../parts/when.js';
import type { Route } from '../route.js';
import { capitalised, count } from '../words.js';
import { HAPPENINGS } from './words.js';

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
            <Icon name={HAPPENINGS[event.type].icon} />
            <What event={event} from={from} />
            <Ago at={event.created_at} now={now} />
          </li>
        ))}
      </ul>
      {total_items > data.length && (
        <p class="second">
          The newest {count(data.length)} of {count(total_items)}.
        </p>
      )}
    </>
  );
}

function What({ event, from }: { readonly event: TankEvent; readonly from: Route | undefined }) {
  const { did, more } = HAPPENINGS[event.type];
  return (
    <span class="what">
      {from === undefined ? (
        <span class="first">{capitalised(did)}</span>
      ) : (
        <>
          <Link to={{ ...from, tank: event.tank_id }}>{event.data.tank.name}</Link> {did}
        </>
      )}{' '}
      <span class="second">{more(event.data)}</span>
    </span>
  );
}
