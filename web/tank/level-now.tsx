// The level now, and how long it will last.
import type { TankDetail } from '../api/types.js';
import { LevelBar } from '../parts/level.js';
import { Ago, useNow } from '../parts/when.js';
import { DAY, dayName, daysOrHours, lasting, percent, volume } from '../words.js';

export function LevelNow({ tank }: { readonly tank: TankDetail }) {
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

function expectedFrom({ assigned_device_id: device }: TankDetail): string {
  return device === '' ? 'It has no device yet.' : `Reports are expected from device ${device}.`;
}

function Level({ tank }: { readonly tank: TankDetail }) {
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
      <p class="second">Alert at {tank.min_fill_alert_percentage} %</p>
    </>
  );
}

function Forecast({ tank }: { readonly tank: TankDetail }) {
  const { consumption } = tank;
  if (consumption === null || tank.reported_at === null) {
    return <p class="forecast-none">{whyNoForecast(tank)}</p>;
  }
  const reported = Date.parse(tank.reported_at);
  return (
    <dl class="forecast">
      <div>
        <dt>Empty in</dt>
        <dd>{daysOrHours(consumption.days_left)}</dd>
        <dd class="second">around {dayName(reported + consumption.days_left * DAY)}</dd>
      </div>
      <div>
        <dt>Alert in</dt>
        <dd>{tank.low ? 'reached' : daysOrHours(consumption.days_to_alert)}</dd>
        <dd class="second">
          {tank.low ? 'at or below it' : `around ${dayName(reported + consumption.days_to_alert * DAY)}`}
        </dd>
      </div>
      <div>
        <dt>Use a day</dt>
        <dd>{percent(consumption.percent_per_day)}</dd>
        <dd class="second">
          {volume((tank.capacity * consumption.percent_per_day) / 100, tank.capacity_unit)}
        </dd>
      </div>
    </dl>
  );
}

function whyNoForecast({ reported, silent }: TankDetail): string {
  if (!reported) return 'How long it will last can be told after a few days of readings.';
  if (silent) return 'How long it will last cannot be told while the tank is silent.';
  return 'How long it will last cannot be told: too few readings, or hardly any use, in the last 14 days.';
}
