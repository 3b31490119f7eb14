// The days of a time zone, by the IANA database that Node.js carries: PostgreSQL is only given instants, so its own cannot disagree.
import { nearest } from '../problems/did-you-mean.js';
import { DAY_MS } from './datetime.js';

export const UTC = 'UTC';

interface Zone {
  /** Milliseconds ahead of UTC. */
  readonly offsetAt: (instant: number) => number;
  /** The days' starts that were found: finding one takes some microseconds. */
  readonly starts: Map<number, number>;
}

const zones = new Map<string, Zone>();
const MAX_ZONES = 50;
const MAX_STARTS = 5_000;

const NAME = /^[A-Za-z][\w+/-]{1,49}$/;
/** What Node.js takes and IANA does not have: abbreviations such as IST, which is three different times. */
const NOT_OF_IANA = /^(?:(?!CET|EET|EST|GMT|HST|MET|MST|UCT|WET)[A-Z]{2}T$|SystemV\/)/i;

export function isTimeZone(name: unknown): name is string {
  return typeof name === 'string' && (name === UTC || findZone(name) !== undefined);
}

function findZone(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (!NAME.test(name) || NOT_OF_IANA.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
    const zone = { offsetAt: (instant: number) => offsetIn(format.format(instant)), starts: new Map() };
    const [oldest] = zones.keys();
    if (oldest !== undefined && zones.size >= MAX_ZONES) zones.delete(oldest);
    zones.set(name, zone);
    return zone;
  } catch {
    return undefined; // a RangeError: there is no such zone
  }
}

/** Of `1/1/1890, GMT+01:05:21`; in UTC it ends with `GMT`. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return ahead * (sign === '-' ? -1_000 : 1_000);
}

/** Days are counted from 1970-01-01. */
export function dayAt(zone: string, instant: number): number {
  const offset = zone === UTC ? 0 : (findZone(zone)?.offsetAt(instant) ?? 0);
  return Math.floor((instant + offset) / DAY_MS);
}

/** The first instant at which it is this day in the zone; of a day that the zone skipped, that of the next one. */
export function startOfDay(zone: string, day: number): number {
  const opened = zone === UTC ? undefined : findZone(zone);
  if (opened === undefined) return day * DAY_MS;
  const { starts, offsetAt } = opened;
  const start = starts.get(day) ?? findStart(day * DAY_MS, offsetAt);
  if (starts.size >= MAX_STARTS) starts.clear();
  starts.set(day, start);
  return start;
}

/** The first instant at which a clock of the zone shows this time or a later one, given as if it were UTC: the next that exists, the first of two. */
export function firstInstantAt(zone: string, local: number): number {
  const opened = zone === UTC ? undefined : findZone(zone);
  return opened === undefined ? local : findStart(local, opened.offsetAt);
}

/** Midnight may be missing, or be there twice. No zone is a day away from UTC, or changes its offset twice in two days. */
function findStart(midnight: number, offsetAt: Zone['offsetAt']): number {
  let [before, after] = [midnight - DAY_MS, midnight + DAY_MS];
  const [old, next] = [offsetAt(before), offsetAt(after)];
  if (old === next) return midnight - old;
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000;
    if (offsetAt(middle) === old) before = middle;
    else after = middle;
  }
  return midnight - old < after ? midnight - old : Math.max(after, midnight - next);
}

/**
 * When a clock in the zone showed this. `wall` is what it showed, as if that were UTC. Of an hour that comes twice the later one, unless it is
 * after `latest`; one that is skipped is counted by the offset before it.
 */
export function instantOfLocal(zone: string, wall: number, latest: number): number {
  const offsetAt = zone === UTC ? undefined : findZone(zone)?.offsetAt;
  if (offsetAt === undefined) return wall;
  // No zone changes its offset twice in two days.
  const [before, after] = [wall - offsetAt(wall - DAY_MS), wall - offsetAt(wall + DAY_MS)];
  const isShown = (instant: number) => instant + offsetAt(instant) === wall;
  const shown = [before, after].filter(isShown).toSorted((a, b) => b - a);
  return shown.find((instant) => instant <= latest) ?? shown.at(-1) ?? before;
}

/** Names that Node.js takes, and lists under the ones they had before. */
const RENAMED =
  'UTC Asia/Kolkata Asia/Kathmandu Asia/Yangon Asia/Ho_Chi_Minh Europe/Kyiv America/Nuuk America/Argentina/Buenos_Aires Atlantic/Faroe';

export function nearestTimeZone(name: string): string | undefined {
  return nearest(name, [...Intl.supportedValuesOf('timeZone'), ...RENAMED.split(' ')]);
}
