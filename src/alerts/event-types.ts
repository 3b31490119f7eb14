// What can happen to a tank.
export const EVENT_TYPES = [
  'tank.low',
  'tank.recovered',
  'tank.refilled',
  'tank.silent',
  'tank.reporting',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
