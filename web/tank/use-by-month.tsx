// What was used each month of the time shown, as bars with their figures.
import type { Series, TankStatus } from 'tank-monitoring-client';
import { monthName, volume } from '../format.js';
import { words } from '../words/words.js';

interface Props {
  readonly series: Series;
  readonly tank: Pick<TankStatus, 'capacity' | 'capacity_unit'>;
}

export function UseByMonth({ series, tank: { capacity, capacity_unit } }: Props) {
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
export function usedByMonth({ data }: Pick<Series, 'data'>): [month: string, used: number][] {
  const months = new Map<string, number>();
  for (const { start, used } of data) {
    const month = monthName(Date.parse(start));
    months.set(month, (months.get(month) ?? 0) + (used ?? 0));
  }
  return [...months].map(([month, used]) => [month, Math.max(0, used)]);
}
