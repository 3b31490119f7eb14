// What the plot shows at a place, in words: for the readout beside it and for those who do not see it.
import type { SeriesRefill, TankEvent } from 'tank-monitoring-client';
import { HAPPENINGS } from '../events/words.js';
import { capitalised, exactTime, lasting, percent, shortTime } from '../words.js';
import type { Ahead, Happened, Hole, Moment, Value } from './timeline.js';

/** With what happened in it, as far as that is not told beside it. */
export function momentInWords(moment: Moment, now: number, events: readonly Happened[] = []): string {
  if (moment.kind === 'ahead') return aheadInWords(moment);
  const words = moment.kind === 'gap' ? gapInWords(moment, now) : valueInWords(moment);
  return [words, ...events.map(({ event }) => HAPPENINGS[event.type].did)].join(', ');
}

export function eventInWords({ type, data }: TankEvent): string {
  return `${capitalised(HAPPENINGS[type].did)}, ${HAPPENINGS[type].more(data)}`;
}

function aheadInWords({ at, p10, p50, p90 }: Ahead): string {
  return `Expected ${shortTime(at)}: ${percent(p50)} (${percent(p10)} to ${percent(p90)})`;
}

function gapInWords({ from, to }: Hole, now: number): string {
  if (to === undefined) return `Silent since ${exactTime(from)}, for ${lasting(now - from)}`;
  return `No readings from ${shortTime(from)} to ${shortTime(to)}, for ${lasting(to - from)}`;
}

export function refillInWords({ from, to }: SeriesRefill): string {
  return `Refilled from ${percent(from)} to ${percent(to)}`;
}

function valueInWords({ start, end, bucket, refills }: Value): string {
  const { count, min, max, mean } = bucket;
  const level =
    count === 1 || min === max ? percent(mean) : `${percent(mean)} (${percent(min)} to ${percent(max)})`;
  const span = `${shortTime(start)} to ${shortTime(end)}`;
  return [`${span}: ${level}`, ...refills.map((refill) => refillInWords(refill).toLowerCase())].join(', ');
}
