// What can change, and the letters under which the database keeps it: `l`, a tank has left its owner, and `d`, one is gone for good,
// are a tank's too.
export const CHANGE_TYPES = ['customer', 'tank', 'telemetry', 'event'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export const KINDS: Readonly<Record<ChangeType, readonly string[]>> = {
  customer: ['c'],
  tank: ['t', 'l', 'd'],
  telemetry: ['r'],
  event: ['e'],
};
