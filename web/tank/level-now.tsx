// The level now, and how long it will last.
import type { TankStatusWithConsumption } from 'tank-monitoring-client';
import { DAY, daysOrHours, lasting, percent, volume } from '../format.js';
import { alertInWords, daysTo, hasAlert, whenInWords, type Instants } from '../outlook.js';
import { LevelBar } from '../parts/state.js';
import { Ago, useNow } from '../parts/when.js';
import { words } from '../words/words.js';

export function LevelNow({ tank }: { readonly tank: TankStatusWithConsumption }) {
  return (
    <section class={tank.silent ? 'panel now now-old' : 'panel now'} aria-labelledby="now">
      <h2 id="now">{tank.silent ? words.tank.lastLevel : words.tank.levelNow}</h2>
      <Level tank={tank} />
      <p class="second">
        {tank.fill_percentage !== null && `${alertInWords(tank)} · `}
        {tank.reported_at === null ? (
          expectedFrom(tank)
        ) : (
          <>
            {words.tank.reported} <Ago at={tank.reported_at} />
            {tank.silent && words.tank.overdueAfter(lasting(tank.silent_after_seconds * 1_000))}
          </>
        )}
      </p>
      <Forecast tank={tank} />
    </section>
  );
}

function expectedFrom({ assigned_device_id: device }: TankStatusWithConsumption): string {
  return device === '' ? words.tank.noDevice : words.tank.expectedFrom(device);
}

function Level({ tank }: { readonly tank: TankStatusWithConsumption }) {
  const capacity = volume(tank.capacity, tank.capacity_unit);
  if (tank.fill_percentage === null || tank.volume === null) {
    return <p class="big-figure">{words.tank.noReading}</p>;
  }
  return (
    <>
      <p class="big-figure">
        {percent(tank.fill_percentage)}{' '}
        <span class="second">{words.list.volumeOf(volume(tank.volume, tank.capacity_unit), capacity)}</span>
      </p>
      <LevelBar tank={tank} />
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
  const inDays = (instants: Instants) => {
    const days = daysTo(instants, moment);
    return days === undefined ? words.tank.overHalfYear : daysOrHours(days);
  };
  return (
    <dl class="forecast">
      <div>
        <dt>{words.tank.emptyIn}</dt>
        <dd>{inDays(empty)}</dd>
        <dd class="second">{whenInWords(empty, moment)}</dd>
      </div>
      {hasAlert(tank) && (
        <div>
          <dt>{words.tank.alertIn}</dt>
          <dd>
            {tank.low ? words.tank.alertReached : alert === null ? words.tank.alertUnknown : inDays(alert)}
          </dd>
          <dd class="second">
            {tank.low ? words.tank.atOrBelow : alert !== null && whenInWords(alert, moment)}
          </dd>
        </div>
      )}
      <div>
        <dt>{words.tank.useADay}</dt>
        <dd>{percent(perDay)}</dd>
        <dd class="second">{volume((tank.capacity * perDay) / 100, tank.capacity_unit)}</dd>
      </div>
    </dl>
  );
}

function whyNoForecast({ reported, silent }: TankStatusWithConsumption): string {
  if (!reported) return words.tank.forecastLater;
  if (silent) return words.tank.forecastSilent;
  return words.tank.forecastNone;
}
