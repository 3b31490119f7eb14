// How current the page is. When it could not be refreshed for a while it says so instead of looking current.
import type { Fresh } from '../use-fresh.js';
import { clockTime } from '../format.js';
import { ago, useNow } from './when.js';
import { words } from '../words/words.js';

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
