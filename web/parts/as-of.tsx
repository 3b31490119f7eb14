// How current the page is. When it could not be refreshed for a while it says so instead of looking current.
import type { Fresh } from '../use-fresh.js';
import { ago, clockTime } from '../words.js';
import { useNow } from './when.js';

const OLD_MS = 150_000;

export function AsOf({ fresh: { at } }: { readonly fresh: Fresh<unknown> }) {
  const moment = useNow(10_000);
  if (at === undefined) return null;
  const isOld = moment - at > OLD_MS;
  return (
    <p class={isOld ? 'as-of as-of-old' : 'as-of'}>
      As of <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time>
      {isOld && `, ${ago(at, moment)}`}
    </p>
  );
}
