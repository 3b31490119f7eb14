// What is ahead of a tank, in words: when it reaches its alert and when it is empty, by its forecast.
import type { TankStatus } from 'tank-monitoring-client';
import { daysUntil } from './calendar.js';
import { DAY, dayName, weekday } from './format.js';
import { words } from './words/words.js';

export type Instants = NonNullable<TankStatus['forecast']>['empty'];

/** A threshold of 0 is none: nobody is told anything before the tank is empty. */
export function hasAlert(tank: Pick<TankStatus, 'min_fill_alert_percentage'>): boolean {
  return tank.min_fill_alert_percentage > 0;
}

export function alertInWords(tank: Pick<TankStatus, 'min_fill_alert_percentage'>): string {
  return hasAlert(tank) ? words.outlook.alertAt(tank.min_fill_alert_percentage) : words.noAlert;
}

/** "today", "Thu", and the date of a day that is farther away than the weekday tells. */
function dayInWords(instant: number, now: number): string {
  const days = daysUntil(instant, now);
  if (days < 0 || days >= 7) return dayName(instant);
  return days === 0 ? words.outlook.today : days === 1 ? words.outlook.tomorrow : weekday(instant);
}

/** "Thu, may be Tue to Sat". */
export function whenInWords(instants: Instants, now: number): string {
  const likely = likelyDay(instants, now);
  const span = spanInWords(instants, now);
  return span === '' ? likely : words.outlook.mayBe(likely, span);
}

/** Undefined: not in sight. */
export function daysTo({ p50 }: Instants, now: number): number | undefined {
  return p50 === null ? undefined : Math.max(0, (Date.parse(p50) - now) / DAY);
}

export function likelyDay({ p50 }: Instants, now: number): string {
  return p50 === null ? words.outlook.notSoon : dayInWords(Date.parse(p50), now);
}

/** From p10 to p90, "Tue to Sat"; nothing when it is one day. */
export function spanInWords({ p10, p50, p90 }: Instants, now: number): string {
  const [first, likely, last] = [p10, p50, p90].map((at) =>
    at === null ? undefined : dayInWords(Date.parse(at), now),
  );
  if (first === undefined) return '';
  if (last === undefined) return likely === first ? words.outlook.muchLater : words.outlook.fromOn(first);
  return first === last ? '' : words.outlook.fromTo(first, last);
}
