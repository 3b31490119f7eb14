// What happened to a tank, in signs and words.
import type { EventType, TankEvent } from 'tank-monitoring-client';
import { percent, shortTime } from '../format.js';
import type { IconName } from '../parts/icons.js';
import { words } from '../words/words.js';

export const EVENT_ICONS: Record<EventType, IconName> = {
  'tank.low': 'low',
  'tank.recovered': 'ok',
  'tank.refilled': 'refill',
  'tank.silent': 'silent',
  'tank.reporting': 'reporting',
};

/** What stands below what happened. */
export function moreOf({ type, data }: Pick<TankEvent, 'type' | 'data'>): string {
  const { reading, before, delivered } = data;
  const level = percent(reading.fill_percentage);
  if (type === 'tank.low') return words.event.low(level, percent(data.min_fill_alert_percentage));
  if (type === 'tank.silent')
    return words.event.lastReading(shortTime(Date.parse(reading.created_at)), level);
  if (type !== 'tank.refilled' || before === null) return level;
  const from = percent(before.fill_percentage);
  // Events of an earlier release do not say how much it was.
  if (delivered == null) return words.event.fromTo(from, level);
  return words.event.delivered(delivered.volume, delivered.unit, from, level);
}
