// A moment in words ("2 hours ago"), exact when pointed at, and right as time goes by; and how current the page is.
import { useEffect, useState } from 'preact/hooks';
import { now } from '../api/clock.js';
import { clockTime, exactTime, timeAgo } from '../format.js';
import type { Fresh } from '../use-fresh.js';
import { words } from '../words/words.js';

/** The service's time, again and again. */
export function useNow(everyMs: number): number {
  const [moment, setMoment] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setMoment(now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Math.max(moment, now());
}

export const ago = (instant: number, moment: number): string => timeAgo(moment - instant) ?? words.justNow;

export function Ago({ at }: { readonly at: string }) {
  const moment = useNow(30_000);
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(instant)}>
      {ago(instant, moment)}
    </time>
  );
}

const OLD_MS = 150_000;

export function AsOf({ fresh: { at } }: { readonly fresh: Fresh<unknown> }) {
  const moment = useNow(10_000);
  if (at === undefined) return null;
  const isOld = moment - at > OLD_MS;
  return (
    <p class={isOld ? 'as-of as-of-old' : 'as-of'}>
      {words.page.asOf} <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time>
      {isOld && `, ${ago(at, moment)}`}
    </p>
  );
}
