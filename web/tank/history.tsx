// What the tank has been doing: a plot with a cursor, the same as a table, and as CSV.
import { useMemo, useState } from 'preact/hooks';
import type {
  List,
  Series,
  TankEvent,
  TankForecast,
  TankStatus,
  TankStatusWithConsumption,
} from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { monthName, percent, tenths, volume } from '../format.js';
import { hasAlert } from '../outlook.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import type { Fresh } from '../use-fresh.js';
import { CursorPlot } from './cursor-plot.js';
import { Downloads } from './download.js';
import { RangePicker } from './range-picker.js';
import { SeriesTable } from './series-table.js';
import { timelineOf } from './timeline.js';
import { words } from '../words/words.js';

interface Props {
  readonly tankId: string;
  readonly tank: TankStatusWithConsumption | undefined;
  readonly series: Fresh<Series>;
  /** Null of a tank that is not there any more; undefined until it is known. */
  readonly forecast: TankForecast | null | undefined;
  /** The last ones at the end of this time; null when they cannot be had. */
  readonly events: List<TankEvent> | null | undefined;
}

export function History({ tankId, tank, series: fresh, forecast, events }: Props) {
  const { route } = usePage();
  const { data: series, isPrevious } = fresh;
  const [isTable, setIsTable] = useState(false);
  const timeline = useMemo(() => {
    if (series === undefined || forecast === undefined || events === undefined) return undefined;
    return timelineOf(series, forecast, events?.data ?? [], now());
  }, [series, forecast, events]);
  return (
    <section class="panel history" aria-labelledby="history" aria-busy={isPrevious}>
      <div class="panel-head">
        <h2 id="history">{words.tank.history}</h2>
        <RangePicker route={route} />
      </div>
      <CursorPlot
        timeline={timeline}
        alert={tank && hasAlert(tank) ? tank.min_fill_alert_percentage : undefined}
        isPrevious={isPrevious}
      />
      <p role="status" class="second">
        {series === undefined ? ' ' : summaryOf(series)}
      </p>
      {tank !== undefined && series !== undefined && 'span' in route.range && route.range.span === '1y' && (
        <UseByMonth series={series} tank={tank} />
      )}
      {tank !== undefined && <p class="second">{forecast == null ? ' ' : accuracyInWords(forecast)}</p>}
      <div class="actions">
        <Button aria-expanded={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? words.tank.hideTable : words.tank.showTable}
        </Button>
        <Downloads tankId={tankId} name={tank?.name ?? tankId} />
      </div>
      {isTable && timeline !== undefined && <SeriesTable timeline={timeline} />}
    </section>
  );
}

function summaryOf({ total_items, gaps_total, refills_total }: Series): string {
  if (total_items === 0) return words.tank.noReadings;
  return words.tank.summary(total_items, refills_total, gaps_total);
}

/** Of what was forecast a week ahead: how often it came true, and by how much it was off. */
function accuracyInWords({ made_at, accuracy }: TankForecast): string {
  if (made_at === null) return words.tank.accuracyLater;
  const week = accuracy?.horizons.find(({ days }) => days === 7);
  if (week?.within == null || week.mean_error === null) {
    return words.tank.accuracyNone;
  }
  const within = percent(Math.round(100 * week.within));
  return words.tank.accuracy(week.forecasts, within, tenths(week.mean_error));
}

interface UseByMonthProps {
  readonly series: Series;
  readonly tank: Pick<TankStatus, 'capacity' | 'capacity_unit'>;
}

/** What was used each month of the time shown, as bars with their figures. */
function UseByMonth({ series, tank: { capacity, capacity_unit } }: UseByMonthProps) {
  const months = usedByMonth(series);
  const most = Math.max(...months.map(([, used]) => used));
  if (most <= 0) return null;
  return (
    <section aria-labelledby="use">
      <h3 id="use">{words.tank.useByMonth}</h3>
      <ul class="months">
        {months.map(([month, used]) => (
          <li key={month}>
            <span class="bar" aria-hidden="true">
              <span style={{ height: `${(100 * used) / most}%` }} />
            </span>
            <span class="first">{volume((capacity * used) / 100, capacity_unit)}</span>{' '}
            <span class="second">{month}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In points, oldest first; what rose more than fell is nothing. */
function usedByMonth({ data }: Pick<Series, 'data'>): [month: string, used: number][] {
  const months = new Map<string, number>();
  for (const { start, used } of data) {
    const month = monthName(Date.parse(start));
    months.set(month, (months.get(month) ?? 0) + (used ?? 0));
  }
  return [...months].map(([month, used]) => [month, Math.max(0, used)]);
}
