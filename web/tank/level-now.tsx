// The level now, and how long it will last.
import type { TankStatusWithConsumption } from 'tank-monitoring-client';
import { alertInWords, hasAlert, whenInWords, type Instants } from '../outlook.js';
import { LevelBar } from '../parts/level.js';
import { Ago, useNow } from '../parts/when.js';
import { DAY, daysOrHours, lasting, percent, volume } from '../words.js';

export function LevelNow({ tank }: { readonly tank: TankStatusWithConsumption }) {
  const now = useNow(30_000);
  return (
    <section class={tank.silent ? 'panel now now-old' : 'panel now'} aria-labelledby="now">
      <h2 id="now">{tank.silent ? 'Last known level' : 'Level now'}</h2>
      <Level tank={tank} />
      <p class="second">
        {tank.reported_at === null ? (
          expectedFrom(tank)
        ) : (
          <>
            Reported <Ago at={tank.reported_at} now={now} />
            {tank.silent && `, overdue after ${lasting(tank.silent_after_seconds * 1_000)}`}
          </>
        )}
      </p>
      <Forecast tank={tank} />
    </section>
  );
}

function expectedFrom({ assigned_device_id: device }: TankStatusWithConsumption): string {
  return device === '' ? 'It has no device yet.' : `Reports are expected from device ${device}.`;
}

function Level({ tank }: { readonly tank: TankStatusWithConsumption }) {
  const capacity = volume(tank.capacity, tank.capacity_unit);
  if (tank.fill_percentage === null || tank.volume === null) {
    return <p class="big-figure">No reading yet</p>;
  }
  return (
    <>
      <p class="big-figure">
        {percent(tank.fill_percentage)}{' '}
        <span class="second">
          {volume(tank.volume, tank.capacity_unit)} of {capacity}
        </span>
      </p>
      <LevelBar tank={tank} />
      <p class="second">{alertInWords(tank)}</p>
    </>
  );
}

/** By its forecast; until there is one, by its use of the last 14 days. */
function Forecast({ tank }: { readonly tank: TankStatusWithConsumption }) {
  const moment = useNow(60_000);
  const { forecast, consumption } = tank;
  if (forecast === null && (consumption === null || tank.reported_at === null)) {
    return <p class="forecast-none">{whyNoForecast(tank)}</p>;
  }
  const reported = Date.parse(tank.reported_at ?? '');
  const plain = (days = 0): Instants => {
    const at = new Date(reported + days * DAY).toISOString();
    return { p10: at, p50: at, p90: at };
  };
  const empty = forecast?.empty ?? plain(consumption?.days_left);
  const alert = forecast === null ? plain(consumption?.days_to_alert) : forecast.alert;
  const perDay = forecast?.percent_per_day ?? consumption?.percent_per_day ?? 0;
  const inDays = ({ p50 }: Instants) =>
    p50 === null ? 'over 6 months' : daysOrHours(Math.max(0, (Date.parse(p50) - moment) / DAY));
  return (
    <dl class="forecast">
      <div>
        <dt>Empty in</dt>
        <dd>{inDays(empty)}</dd>
        <dd class="second">{whenInWords(empty, moment)}</dd>
      </div>
      {hasAlert(tank) && (
        <div>
          <dt>Alert in</dt>
          <dd>{tank.low ? 'reached' : alert === null ? 'not known yet' : inDays(alert)}</dd>
          <dd class="second">{tank.low ? 'at or below it' : alert !== null && whenInWords(alert, moment)}</dd>
        </div>
      )}
      <div>
        <dt>Use a day</dt>
        <dd>{percent(perDay)}</dd>
        <dd class="second">{volume((tank.capacity * perDay) / 100, tank.capacity_unit)}</dd>
      </div>
    </dl>
  );
}

function whyNoForecast({ reported, silent }: TankStatusWithConsumption): string {
  if (!reported) return 'How long it will last can be told after a few days of readings.';
  if (silent) return 'How long it will last cannot be told while the tank is silent.';
  return 'How long it will last cannot be told: too few readings, or hardly any use, in the last 14 days.';
}
