// What can change, and the letters under which the database keeps it.
export const CHANGE_TYPES = ['customer', 'tank', 'telemetry', 'event'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export const KIND = {
  customer: 'c',
  tank: 't',
  /** For those who saw it with its former owner or id. */
  tankLeft: 'l',
  /** For good. */
  tankRemoved: 'd',
  readings: 'r',
  event: 'e',
  /** The feed begins anew here. */
  restart: 's',
} as const;

export const KINDS_OF_TYPE: Readonly<Record<ChangeType, readonly string[]>> = {
  customer: [KIND.customer],
  tank: [KIND.tank, KIND.tankLeft, KIND.tankRemoved],
  telemetry: [KIND.readings],
  event: [KIND.event],
};
