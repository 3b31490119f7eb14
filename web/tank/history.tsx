// What the tank has been doing: a plot with a cursor, the same as a table, and as CSV.
import { useMemo, useState } from 'preact/hooks';
import type { Series, TankMonitoring, TankStatusWithConsumption } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import type { Route } from '../route.js';
import type { Fresh } from '../use-fresh.js';
import { count, counted } from '../words.js';
import { CursorPlot } from './cursor-plot.js';
import { Downloads } from './download.js';
import { RangePicker } from './range-picker.js';
import { SeriesTable } from './series-table.js';
import { timelineOf } from './timeline.js';

interface Props {
  readonly client: TankMonitoring;
  readonly tankId: string;
  readonly tank: TankStatusWithConsumption | undefined;
  readonly route: Route;
  readonly series: Fresh<Series>;
}

export function History({ client, tankId, tank, route, series: { data: series, isPrevious } }: Props) {
  const [isTable, setIsTable] = useState(false);
  const timeline = useMemo(() => (series === undefined ? undefined : timelineOf(series, now())), [series]);
  return (
    <section class="panel history" aria-labelledby="history" aria-busy={isPrevious}>
      <div class="history-head">
        <h2 id="history">History</h2>
        <RangePicker route={route} />
      </div>
      <CursorPlot timeline={timeline} alert={tank?.min_fill_alert_percentage} isPrevious={isPrevious} />
      <p role="status" class="second">
        {series === undefined ? ' ' : summaryOf(series)}
      </p>
      <div class="actions">
        <button type="button" aria-expanded={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? 'Hide the table' : 'Show as table'}
        </button>
        <Downloads client={client} tankId={tankId} name={tank?.name ?? tankId} range={route.range} />
      </div>
      {isTable && timeline !== undefined && <SeriesTable timeline={timeline} />}
    </section>
  );
}

function summaryOf({ total_items, gaps_total, refills_total }: Series): string {
  if (total_items === 0) return 'No readings in this time.';
  const gaps = gaps_total === 0 ? 'no gaps' : counted(gaps_total, 'gap');
  const refills = refills_total === 0 ? 'no refills' : counted(refills_total, 'refill');
  return `${count(total_items)} readings, ${refills}, ${gaps}.`;
}
