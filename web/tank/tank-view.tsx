// One tank: how full it is and how long that lasts, whom to call, and what it has been doing.
import { useRef } from 'preact/hooks';
import {
  ProblemError,
  type Customer,
  type DeletedCustomer,
  type Series,
  type TankMonitoring,
  type TankStatusWithConsumption,
} from 'tank-monitoring-client';
import { findSensor, type ProfiledSensor } from '../api/sensors.js';
import { orUndefined } from '../api/troubles.js';
import { AsOf } from '../parts/as-of.js';
import { Back } from '../parts/back.js';
import { Link } from '../parts/link.js';
import { States } from '../parts/state.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { useTitle } from '../parts/title.js';
import { behindTank, START, type Range, type Route } from '../route.js';
import { SensorPanel } from '../sensors/sensor-panel.js';
import { useFresh } from '../use-fresh.js';
import { Facts } from './facts.js';
import { History } from './history.js';
import { LevelNow } from './level-now.js';
import { boundsOf, seriesParameters } from './range.js';
import { TankEvents } from './tank-events.js';

/** More than most tanks have in a year: those of the time shown are marked in the plot. */
const LAST_EVENTS = 100;

interface Props {
  readonly client: TankMonitoring;
  readonly tankId: string;
  readonly route: Route;
  readonly mayChange: boolean;
  readonly seesActivity: boolean;
}

type Found =
  | {
      readonly is: 'live';
      readonly tank: TankStatusWithConsumption;
      readonly owner: Customer | DeletedCustomer;
      readonly sensor: ProfiledSensor | undefined;
    }
  | { readonly is: 'deleted' | 'unknown' };

export function TankView({ client, tankId, route, mayChange, seesActivity }: Props) {
  const followed = useRef({ about: [tankId], isInFeed: true }).current;
  const found = useFresh(`tank ${tankId}`, (signal) => findTank(client, tankId, signal), followed);
  const isUnknown = found.data?.is === 'unknown';
  const series = useFresh(
    isUnknown ? undefined : JSON.stringify(route.range),
    (signal) => findSeries(client, tankId, route.range, signal),
    { about: [tankId] },
  );
  const events = useFresh(
    isUnknown ? undefined : `events ${JSON.stringify(route.range)}`,
    (signal) => findEvents(client, tankId, route.range, signal),
    { about: [tankId] },
  );
  const forecast = useFresh(
    isUnknown ? undefined : 'forecast',
    async (signal) => (await orUndefined(client.tanks.forecast(tankId, { signal }))) ?? null,
    { about: [tankId], isInFeed: false },
  );
  const live = found.data?.is === 'live' ? found.data : undefined;
  if (live !== undefined) {
    followed.about = [tankId, live.tank.owner_id];
    followed.isInFeed = live.sensor === undefined; // a message about its battery alone is no change
  }
  const whose = live && [live.tank.owner_name, live.tank.location.city].filter(Boolean).join(', ');
  useTitle(live && [live.tank.name, whose].filter(Boolean).join(', '));
  return (
    <article class="tank">
      <Back to={{ ...route, tank: undefined }} behind={behindTank(route)}>
        {mayChange && live !== undefined && (
          <Link to={{ ...route, form: 'edit' }} class="button">
            Edit
            <span class="for-ears"> this tank</span>
          </Link>
        )}
      </Back>
      <header class="view-head">
        <hgroup>
          <h1 tabIndex={-1}>{live?.tank.name ?? (found.data === undefined ? 'Loading…' : 'Tank')}</h1>
          <p>{whose ?? ' '}</p>
        </hgroup>
        {live !== undefined && <States tank={live.tank} />}
        <AsOf fresh={found} />
      </header>
      <TroubleBanner of={isUnknown ? [found] : [found, series, events]} />
      {found.data === undefined && found.trouble === undefined && <div class="panel tank-placeholder" />}
      {isUnknown && (
        <Instead title="No such tank">
          <p>There is no tank with this id among those your key sees.</p>
        </Instead>
      )}
      {found.data?.is === 'deleted' && (
        <Instead title="This tank was deleted">
          <p>Its readings are still here.</p>
          {mayChange && (
            <p>
              <Link to={{ ...route, form: 'restore' }} class="button">
                Restore this tank
              </Link>
            </p>
          )}
        </Instead>
      )}
      {live !== undefined && (
        <>
          <div class="panels">
            <LevelNow tank={live.tank} />
            <Facts tank={live.tank} owner={live.owner} route={route} mayChange={mayChange} />
          </div>
          <SensorPanel found={live.sensor} route={route} mayChange={mayChange} />
        </>
      )}
      {found.data !== undefined && !isUnknown && (
        <>
          <History
            client={client}
            tankId={tankId}
            tank={live?.tank}
            route={route}
            series={series}
            forecast={forecast.trouble === undefined ? forecast.data : null}
            events={events.data ?? (events.trouble && null)}
          />
          <TankEvents fresh={events} tankId={tankId} range={route.range} />
          {seesActivity && (
            <p>
              <Link to={{ ...START, view: 'settings', setting: 'activity', changesOf: tankId }}>
                Who changed this tank
              </Link>
            </p>
          )}
        </>
      )}
    </article>
  );
}

/** Up to the end of the range, however long ago: one answer for the plot and for the list of the last ones. */
function findEvents(client: TankMonitoring, tank_id: string, range: Range, signal: AbortSignal) {
  const { created_at_lte } = boundsOf(range);
  return client.events.page({ tank_id, created_at_lte, size: LAST_EVENTS }, { signal });
}

/** A browser may know a time zone that the service does not know yet: then days are those of UTC. */
async function findSeries(
  client: TankMonitoring,
  id: string,
  range: Range,
  signal: AbortSignal,
): Promise<Series> {
  const { time_zone, ...asked } = seriesParameters(range);
  try {
    return await client.telemetry.series(id, { ...asked, time_zone }, { signal });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 400) throw error;
    return client.telemetry.series(id, asked, { signal });
  }
}

/** The fleet has live tanks only; whether one that is not there was deleted, the tanks tell. */
async function findTank(client: TankMonitoring, id: string, signal: AbortSignal): Promise<Found> {
  const tank = await orUndefined(client.fleet.tanks.get(id, { signal }));
  if (tank === undefined) {
    const deleted = await orUndefined(client.tanks.get(id, { signal }));
    return { is: deleted === undefined ? 'unknown' : 'deleted' };
  }
  const [owner, sensor] = await Promise.all([
    client.customers.get(tank.owner_id, { signal }),
    findSensor(client, tank.tank_id, signal),
  ]);
  return { is: 'live', tank, owner, sensor };
}
