// The product's rules and their numbers: when a tank counts as silent, what a refill is, what an event is. Everybody may import this file,
// and it imports nothing. SQL gets the numbers when `migrate` installs its functions: {{NAME}} in a file of src/**/sql.

const HOUR = 3_600;
const DAY = 24 * HOUR;
const REFILL_RISE = 5;
const LONGEST_SILENCE = 7 * DAY;

/** Levels are percentage points, times are seconds, unless a name says otherwise. */
export const NUMBERS = {
  /** A tank is silent after so many times the median gap of its newest readings, from the least to the most; otherwise after a day. */
  SILENT_AFTER_GAPS: 3,
  SILENT_AFTER_READINGS: 10,
  /** So many readings of a tank are judged in one transaction. */
  JUDGED_AT_ONCE: 5_000,
  SILENT_AFTER_LEAST_READINGS: 3,
  SILENT_AFTER_LEAST: HOUR,
  SILENT_AFTER_MOST: LONGEST_SILENCE,
  SILENT_AFTER_TOO_FEW_READINGS: DAY,

  /** A rise of so much from one reading to the next, in a series and for the consumption. The event `tank.refilled` asks for more. */
  REFILL_RISE,
  /** More than this may be a refill: what is compared in SQL is not rounded. */
  ROSE: REFILL_RISE - 0.001,
  /** A larger fall from one reading to the next may be a wrong reading. */
  LARGEST_CREDIBLE_FALL: 20,

  /** What the sensor saw of a delivery: readings of a refill rise by a step each; it is looked for so many hours around the time that was entered. */
  REFILL_STEP: 1,
  DELIVERY_HOURS_BEFORE: 24,
  DELIVERY_HOURS_AFTER: 12,
  /** So much would have been seen. */
  DELIVERY_SEEN: 10,
  /** Above both, what arrived is not what was delivered: percent of that, and points of the capacity. */
  DISCREPANCY_PERCENT: 5,
  DISCREPANCY_POINTS: 2,
  /** What was measured is final so many days after the last entry. */
  MEASURED_DAYS: 7,

  /** What was used in a bucket of a series: of readings further apart than this nobody knows what happened between them. */
  USED_MOST_APART: LONGEST_SILENCE,

  /** Consumption: of how many days, and how many of them and how much used it takes at least. */
  CONSUMPTION_DAYS: 14,
  CONSUMPTION_LEAST_DAYS: 3,
  CONSUMPTION_LEAST_USED: 1,

  SERIES_MOST_READINGS: 1_000_000,

  /** A sensor needs somebody to go there: percent of its battery, and as LoRaWAN goes, dBm and dB below which messages are lost now and then. */
  LOW_BATTERY: 20,
  WEAK_RSSI: -115,
  WEAK_SNR: -10,

  /** Clocks differ: how far ahead of ours what is sent may be. */
  CLOCK_AHEAD: 5 * 60,

  /** What is kept in quarantine, of a device and customer, of a customer, and in all. */
  QUARANTINE_DAYS: 30,
  QUARANTINE_OF_DEVICE: 1_000,
  QUARANTINE_OF_CUSTOMER: 10_000,
  QUARANTINE_OF_CUSTOMER_BYTES: 100 * 1_024 * 1_024,
  QUARANTINE_IN_ALL: 100_000,
  QUARANTINE_IN_ALL_BYTES: 1_024 * 1_024 * 1_024,
  CHANGES_DAYS: 7,
  ACTIVITY_DAYS: 400,
  /** Of a customer; what is of none counts as one more. */
  ACTIVITY_OF_CUSTOMER: 100_000,
  ACTIVITY_OF_CUSTOMER_BYTES: 100 * 1_024 * 1_024,
  /** Characters that are kept of a value that was changed. */
  ACTIVITY_VALUE: 1_000,
  /** The most bytes of an entry's changes, as JSON; in a longer entry each value has fewer characters. */
  ACTIVITY_CHANGES_BYTES: 64 * 1_024,
  ACTIVITY_SHORT_VALUE: 100,

  /** A reading is history, and causes no event, if on arrival it is older than both a day and the tank's silence interval. */
  HISTORY_LEAST_AGE: DAY,
  /** So no reading that is older than this can cause one. */
  HISTORY_MOST_AGE: LONGEST_SILENCE,
  /** A low tank has recovered so far above its threshold, or at 100. */
  RECOVERY_MARGIN: 5,

  /**
   * Quiet case: the tank is not silent, nothing is remembered of it, and its one new reading is above the threshold and within QUIET_CHANGE of the previous one.
   * No rule can fire, so ingest skips judging, which would add half its cost. QUIET_LEVEL_MOST is for a rule about high levels: there is none yet.
   */
  QUIET_CHANGE: REFILL_RISE - 1,
  QUIET_LEVEL_MOST: 100,
} as const;

export interface Reading {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fill: number;
}

export const EVENT_TYPES = [
  'tank.low',
  'tank.recovered',
  'tank.refilled',
  'tank.silent',
  'tank.reporting',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What was reported about a tank and is not over yet. */
export interface Memory {
  readonly low: boolean;
  readonly silenceReported: boolean;
}

export interface EventRule {
  readonly type: EventType;
  readonly applies: (judged: JudgedReading, memory: Memory) => boolean;
  readonly remember?: Partial<Memory>;
  /** Whether it also applies to a known reading whose value, or whose tank's threshold, has changed. */
  readonly isAboutLevel?: true;
}

export interface JudgedReading {
  readonly reading: Reading;
  readonly before: Reading | undefined;
  readonly beforeThat: Reading | undefined;
  readonly threshold: number;
  /** At the time of the reading. */
  readonly silentAfterSeconds: number;
}

/** What a reading may cause, in this order. No reading causes `tank.silent`; judge.ts emits it. If a new rule breaks the quiet case, judge.spec.ts fails. */
export const EVENT_RULES: readonly EventRule[] = [
  {
    type: 'tank.reporting',
    applies: (_, { silenceReported }) => silenceReported,
    remember: { silenceReported: false },
  },
  {
    type: 'tank.refilled',
    applies: ({ reading, before, beforeThat }) => isRefill(reading.fill, before?.fill, beforeThat?.fill),
  },
  {
    type: 'tank.recovered',
    applies: ({ reading, threshold }, { low }) =>
      low &&
      !isLow(reading, threshold) &&
      (rounded(reading.fill - threshold) >= NUMBERS.RECOVERY_MARGIN || reading.fill >= 100),
    remember: { low: false },
    isAboutLevel: true,
  },
  {
    type: 'tank.low',
    applies: (judged, { low }) => !low && isLow(judged.reading, judged.threshold) && !isDoubtful(judged),
    remember: { low: true },
    isAboutLevel: true,
  },
];

export function isLow({ fill }: Reading, threshold: number): boolean {
  return fill <= threshold;
}

/** Compares a level with those of both readings before it. One reading before it is not enough. */
export function isRefill(fill: number, ...before: readonly (number | undefined)[]): boolean {
  return before.every((known) => known !== undefined && rounded(fill - known) >= NUMBERS.REFILL_RISE);
}

/** A large fall, unless the reading before it is low, too, or a long silence lies between them. */
function isDoubtful({ reading, before, threshold, silentAfterSeconds: seconds }: JudgedReading): boolean {
  return (
    before !== undefined &&
    !isLow(before, threshold) &&
    rounded(before.fill - reading.fill) > NUMBERS.LARGEST_CREDIBLE_FALL &&
    reading.at - before.at <= seconds * 1000
  );
}

/** Silence interval computed from the readings starting at index `place`, newest first. Mirrors SQL `silent_after()`. */
export function silentAfterSeconds(readings: readonly Reading[], place = 0): number {
  const newest = readings.slice(place, place + NUMBERS.SILENT_AFTER_READINGS);
  if (newest.length < NUMBERS.SILENT_AFTER_LEAST_READINGS) return NUMBERS.SILENT_AFTER_TOO_FEW_READINGS;
  const gaps = newest.slice(1).map(({ at }, i) => (newest[i]?.at ?? at) - at);
  gaps.sort((a, b) => a - b);
  const upper = gaps[Math.floor(gaps.length / 2)] ?? 0;
  const lower = gaps[Math.floor((gaps.length - 1) / 2)] ?? 0;
  const seconds = Math.round((NUMBERS.SILENT_AFTER_GAPS * (lower + upper)) / 2 / 1000);
  return Math.min(Math.max(seconds, NUMBERS.SILENT_AFTER_LEAST), NUMBERS.SILENT_AFTER_MOST);
}

/** Differences of levels are compared after rounding: 17.4 - 12.4 is 5. */
function rounded(difference: number): number {
  return Math.round(difference * 1e6) / 1e6;
}
