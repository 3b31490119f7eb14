// One tank: how full it is and how long that lasts, whom to call, and what it has been doing.
import { useRef } from 'preact/hooks';
import type { ApiClient } from '../api/client.js';
import { findSensor, type ProfiledSensor } from '../api/sensors.js';
import { orUndefined } from '../api/troubles.js';
import type { Customer, List, Series, TankDetail, TankEvent } from '../api/types.js';
import { AsOf } from '../parts/as-of.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { States } from '../parts/state.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { useTitle } from '../parts/title.js';
import { behindTank, type Route } from '../route.js';
import { SensorPanel } from '../sensors/sensor-panel.js';
import { useFresh } from '../use-fresh.js';
import { Facts } from './facts.js';
import { History } from './history.js';
import { LevelNow } from './level-now.js';
import { seriesParameters } from './range.js';
import { TankEvents } from './tank-events.js';

const LAST = 10;

interface Props {
  readonly client: ApiClient;
  readonly tankId: string;
  readonly route: Route;
  readonly mayChange: boolean;
}

type Found =
  | {
      readonly is: 'live';
      readonly tank: TankDetail;
      readonly owner: Customer;
      readonly sensor: ProfiledSensor | undefined;
    }
  | { readonly is: 'deleted' | 'unknown' };

export function TankView({ client, tankId, route, mayChange }: Props) {
  const id = encodeURIComponent(tankId);
  const followed = useRef({ about: [tankId], isInFeed: true }).current;
  const found = useFresh(`tank ${tankId}`, (signal) => findTank(client, id, signal), followed);
  const isUnknown = found.data?.is === 'unknown';
  const series = useFresh(
    isUnknown ? undefined : JSON.stringify(route.range),
    (signal) => client.get<Series>(`tanks/${id}/telemetry/series`, seriesParameters(route.range), signal),
    { about: [tankId] },
  );
  const events = useFresh(
    isUnknown ? undefined : 'events',
    (signal) => client.get<List<TankEvent>>('events', { tank_id: tankId, size: LAST }, signal),
    { about: [tankId] },
  );
  const live = found.data?.is === 'live' ? found.data : undefined;
  if (live !== undefined) {
    followed.about = [tankId, live.tank.owner_id];
    followed.isInFeed = live.sensor === undefined; // a message about its battery alone is no change
  }
  useTitle(live?.tank.name);
  return (
    <article class="tank">
      <div class="above">
        <Link to={{ ...route, tank: undefined }} class="back">
          <Icon name="back" />
          Back to the {behindTank(route)}
        </Link>
        {mayChange && live !== undefined && (
          <Link to={{ ...route, form: 'edit' }} class="button">
            Edit
            <span class="for-ears"> this tank</span>
          </Link>
        )}
      </div>
      <header class="view-head">
        <h1 tabIndex={-1}>{live?.tank.name ?? (found.data === undefined ? 'Loading…' : 'Tank')}</h1>
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
          <History client={client} tankId={tankId} tank={live?.tank} route={route} series={series} />
          <TankEvents fresh={events} />
        </>
      )}
    </article>
  );
}

/** The fleet has live tanks only; whether one that is not there was deleted, the tanks tell. */
async function findTank(client: ApiClient, id: string, signal: AbortSignal): Promise<Found> {
  const tank = await orUndefined(client.get<TankDetail>(`fleet/tanks/${id}`, {}, signal));
  if (tank === undefined) {
    const deleted = await orUndefined(client.get<unknown>(`tanks/${id}`, {}, signal));
    return { is: deleted === undefined ? 'unknown' : 'deleted' };
  }
  const [owner, sensor] = await Promise.all([
    client.get<Customer>(`customers/${encodeURIComponent(tank.owner_id)}`, {}, signal),
    findSensor(client, tank.tank_id, signal),
  ]);
  return { is: 'live', tank, owner, sensor };
}
