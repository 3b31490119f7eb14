// How fast a tank is being emptied, from the falls between its consecutive readings.
import { DAY_MS, isoFromPostgres } from '../common/datetime/datetime.js';
import { NUMBERS } from '../rules.js';
import type { ConsumptionResponse, TankStatusRow } from './dto/tank-status.response.js';
import { roundTo } from '../common/rounding.js';

/** What the statement sums up of the pairs of readings that count; null without any. */
export interface FallsRow {
  /** Percentage points: the falls minus the small rises. */
  used: number | null;
  covered_ms: number | null;
  since: string | null;
}

export function consumptionOf(row: FallsRow & TankStatusRow): ConsumptionResponse | null {
  const { used, covered_ms, since, fill_percentage, min_fill_alert_percentage, low, silent } = row;
  if (silent || used === null || covered_ms === null || since === null || fill_percentage === null)
    return null;
  const days = covered_ms / DAY_MS;
  if (days < NUMBERS.CONSUMPTION_LEAST_DAYS || roundTo(used, 6) < NUMBERS.CONSUMPTION_LEAST_USED) return null;
  const perDay = used / days;
  return {
    percent_per_day: roundTo(perDay, 2),
    days_left: roundTo(fill_percentage / perDay, 1),
    days_to_alert: low ? 0 : roundTo((fill_percentage - min_fill_alert_percentage) / perDay, 1),
    since: isoFromPostgres(since),
  };
}
