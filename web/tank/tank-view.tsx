// One tank: how full it is and how long that lasts, whom to call, and what it has been doing.
import { useRef } from 'preact/hooks';
import { ProblemError, type List, type TankEvent, type TankMonitoring } from 'tank-monitoring-client';
import { findSensor } from '../api/sensors.js';
import { orUndefined } from '../api/troubles.js';
import { EventList } from '../events/event-list.js';
import { usePage } from '../page.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { States } from '../parts/state.js';
import { Instead } from '../parts/trouble.js';
import { View, WasDeleted } from '../parts/view.js';
import { behindTank, START } from '../route.js';
import { SensorPanel } from '../sensors/sensor-panel.js';
import { mayChangeTanks, maySee } from '../session.js';
import { useFresh, type Fresh } from '../use-fresh.js';
import { Facts } from './facts.js';
import { History } from './history.js';
import { LevelNow } from './level-now.js';
import { boundsOf, seriesParameters, type Range } from './range.js';
import { words } from '../words/words.js';

/** More than most tanks have in a year: those of the time shown are marked in the plot. */
const LAST_EVENTS = 100;

export function TankView({ tankId }: { readonly tankId: string }) {
  const { client, me, route, onDone } = usePage();
  const mayChange = mayChangeTanks(me);
  const followed = useRef({ about: [tankId], isInFeed: false }).current; // of a forecast, or a sensor's battery alone, the feed tells nothing
  const found = useFresh(['tank', tankId], (signal) => findTank(client, tankId, signal), followed);
  const isUnknown = found.data === 'unknown';
  const { range } = route;
  const inRange = (what: string) => (isUnknown ? undefined : [what, tankId, range]);
  const about = [tankId];
  const series = useFresh(inRange('series'), (signal) => findSeries(client, tankId, range, signal), {
    about,
  });
  const events = useFresh(inRange('events of'), (signal) => findEvents(client, tankId, range, signal), {
    about,
  });
  const forecast = useFresh(
    isUnknown ? undefined : ['forecast', tankId],
    async (signal) => (await orUndefined(client.tanks.forecast(tankId, { signal }))) ?? null,
    { about, isInFeed: false },
  );
  const live = typeof found.data === 'object' ? found.data : undefined;
  if (live !== undefined) followed.about = [tankId, live.tank.owner_id];
  const restore = async () => {
    const { name } = await client.tanks.restore(tankId);
    found.retry();
    onDone(words.isBack(name), route);
  };
  const whose = live && [live.tank.owner_name, live.tank.location.city].filter(Boolean).join(', ');
  const edit = mayChange && live !== undefined && (
    <Link to={{ ...route, form: 'edit' }} class="button">
      <Icon name="edit" />
      {words.edit}
      <span class="for-ears">{words.tank.editThis}</span>
    </Link>
  );
  return (
    <View
      class="tank"
      title={live?.tank.name ?? (found.data === undefined ? words.loading : words.tank.one)}
      tab={live === undefined ? null : [live.tank.name, whose].filter(Boolean).join(', ')}
      under={whose ?? ' '}
      back={{ ...route, tank: undefined }}
      behind={behindTank(route)}
      fresh={isUnknown ? [found] : [found, series, events]}
      beside={edit}
      action={live !== undefined && <States tank={live.tank} />}
    >
      {found.data === undefined && found.trouble === undefined && <div class="panel tank-placeholder" />}
      {isUnknown && <Instead title={words.form.noSuch.tank} note={words.tank.unknownWhy} />}
      {found.data === 'deleted' && (
        <WasDeleted
          title={words.tank.wasDeleted}
          label={mayChange ? words.tank.restore : undefined}
          onRestore={restore}
        >
          {words.tank.readingsStay}
        </WasDeleted>
      )}
      {live !== undefined && (
        <div class="panels">
          <LevelNow tank={live.tank} />
          <Facts tank={live.tank} owner={live.owner} />
        </div>
      )}
      {found.data !== undefined && !isUnknown && (
        <>
          <History
            tankId={tankId}
            tank={live?.tank}
            series={series}
            forecast={forecast.trouble === undefined ? forecast.data : null}
            events={events.data ?? (events.trouble && null)}
          />
          {live !== undefined && <SensorPanel found={live.sensor} />}
          <TankEvents fresh={events} tankId={tankId} />
          {maySee(me, 'activity') && (
            <p>
              <Link to={{ ...START, view: 'settings', setting: 'activity', changesOf: tankId }}>
                {words.tank.whoChanged}
              </Link>
            </p>
          )}
        </>
      )}
    </View>
  );
}

/** Up to the end of the range, however long ago: one answer for the plot and for the list of the last ones. */
function findEvents(client: TankMonitoring, tank_id: string, range: Range, signal: AbortSignal) {
  const { created_at_lte } = boundsOf(range);
  return client.events.page({ tank_id, created_at_lte, size: LAST_EVENTS }, { signal });
}

/** A browser may know a time zone that the service does not know yet: then days are those of UTC. */
async function findSeries(client: TankMonitoring, id: string, range: Range, signal: AbortSignal) {
  const { time_zone, ...asked } = seriesParameters(range);
  try {
    return await client.telemetry.series(id, { ...asked, time_zone }, { signal });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 400) throw error;
    return client.telemetry.series(id, asked, { signal });
  }
}

/** The fleet has live tanks only; whether one that is not there was deleted, the tanks tell. */
async function findTank(client: TankMonitoring, id: string, signal: AbortSignal) {
  const tank = await orUndefined(client.fleet.tanks.get(id, { signal }));
  if (tank === undefined) {
    const deleted = await orUndefined(client.tanks.get(id, { signal }));
    return deleted === undefined ? 'unknown' : 'deleted';
  }
  const [owner, sensor] = await Promise.all([
    client.customers.get(tank.owner_id, { signal }),
    findSensor(client, tank.tank_id, signal),
  ]);
  return { tank, owner, sensor };
}

const SHOWN = 10;

interface Props {
  readonly fresh: Fresh<List<TankEvent>>;
  readonly tankId: string;
}

/** What the tank's alerts told last, at the end of the time that is shown. */
function TankEvents({ fresh: { data, trouble }, tankId }: Props) {
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
