// What happened to a tank, in words.
import type { EventType, TankEvent } from 'tank-monitoring-client';
import type { IconName } from '../parts/icons.js';
import { percent, shortTime, volume } from '../words.js';

interface Happening {
  readonly icon: IconName;
  /** After the tank's name. */
  readonly did: string;
  readonly more: (data: TankEvent['data']) => string;
}

const levelOf = ({ reading }: TankEvent['data']): string => percent(reading.fill_percentage);

/** Events of an earlier release do not say how much it was. */
const deliveredOf = ({ delivered }: TankEvent['data']): string =>
  delivered == null ? '' : `${volume(delivered.volume, delivered.unit)}, `;

export const HAPPENINGS: Record<EventType, Happening> = {
  'tank.low': {
    icon: 'low',
    did: 'ran low',
    more: (data) => `${levelOf(data)}, alert at ${percent(data.min_fill_alert_percentage)}`,
  },
  'tank.recovered': { icon: 'ok', did: 'is no longer low', more: levelOf },
  'tank.refilled': {
    icon: 'refill',
    did: 'was refilled',
    more: (data) =>
      data.before === null
        ? levelOf(data)
        : `${deliveredOf(data)}from ${percent(data.before.fill_percentage)} to ${levelOf(data)}`,
  },
  'tank.silent': {
    icon: 'silent',
    did: 'fell silent',
    more: (data) => `last reading ${shortTime(Date.parse(data.reading.created_at))}, ${levelOf(data)}`,
  },
  'tank.reporting': { icon: 'reporting', did: 'reports again', more: levelOf },
};
