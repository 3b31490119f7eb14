// What the plot shows at a place, in words: for the readout beside it and for those who do not see it.
import type { SeriesRefill, TankEvent } from 'tank-monitoring-client';
import { moreOf } from '../events/event-words.js';
import { capitalised, exactTime, lasting, percent, shortTime } from '../format.js';
import type { Ahead, Happened, Hole, Moment, Value } from './timeline.js';
import { words } from '../words/words.js';

/** With what happened in it, as far as that is not told beside it. */
export function momentInWords(moment: Moment, now: number, events: readonly Happened[] = []): string {
  if (moment.kind === 'ahead') return aheadInWords(moment);
  const told = moment.kind === 'gap' ? gapInWords(moment, now) : valueInWords(moment);
  return [told, ...events.map(({ event }) => words.event.did[event.type])].join(', ');
}

export function eventInWords({ type, data }: TankEvent): string {
  return `${capitalised(words.event.did[type])}, ${moreOf({ type, data })}`;
}

function aheadInWords({ at, p10, p50, p90 }: Ahead): string {
  return words.tank.expectedAt(shortTime(at), percent(p50), words.tank.fromTo(percent(p10), percent(p90)));
}

function gapInWords({ from, to }: Hole, now: number): string {
  if (to === undefined) return words.tank.silentSince(exactTime(from), lasting(now - from));
  return words.tank.noReadingsFrom(shortTime(from), shortTime(to), lasting(to - from));
}

export function refillInWords({ from, to }: SeriesRefill): string {
  return words.tank.refilled(percent(from), percent(to));
}

function valueInWords({ start, end, bucket, refills }: Value): string {
  const { count, min, max, mean } = bucket;
  const level =
    count === 1 || min === max
      ? percent(mean)
      : `${percent(mean)} (${words.tank.fromTo(percent(min), percent(max))})`;
  const span = words.tank.fromTo(shortTime(start), shortTime(end));
  return [
    `${span}: ${level}`,
    ...refills.map(({ from, to }) => words.tank.refilledWithin(percent(from), percent(to))),
  ].join(', ');
}
