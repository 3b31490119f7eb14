// The uplinks that wait, by device: which could not become readings, why, and which tank they would belong to.
import type { TankMonitoring, Uplink } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Choice } from '../parts/choice.js';
import { Link } from '../parts/link.js';
import { Listing, PAGE_SIZE } from '../parts/listing.js';
import { View, type ListViewProps } from '../parts/view.js';
import { Ago } from '../parts/when.js';
import { go, REASONS, type Route } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { senderInWords } from './sensor-words.js';
import { words } from '../words/words.js';

/** The newest ones; whoever has more solves what is on top first. */
const LOOKED_AT = 1_000;

const { reasons } = words.uplink;

export function UplinkList({ isBehind }: ListViewProps) {
  const { client, route } = usePage();
  const { reason, page } = route;
  const fresh = useFresh(
    isBehind ? undefined : ['uplinks', reason, page],
    (signal) => findWaiting(client, route, signal),
    NOT_IN_FEED,
  );
  const all = <Link to={{ ...route, reason: undefined, page: 1 }}>{words.uplink.showAll}</Link>;
  const back = { ...route, view: 'list' as const, reason: undefined, page: 1 };
  return (
    <View title={words.views.uplinks} fresh={[fresh]} isBehind={isBehind} back={back}>
      <div class="filters">
        <Choice
          label={words.uplink.reason}
          none={words.uplink.anyReason}
          choices={REASONS}
          inWords={(one) => reasons[one].why}
          chosen={reason}
          onChoose={(one) => go({ ...route, reason: one, page: 1 })}
        />
      </div>
      <Listing
        fresh={fresh}
        name="uplinks"
        title={words.uplink.caption}
        said={() => fresh.data?.said ?? ''}
        none={{ title: words.uplink.nothing, note: reason === undefined ? words.uplink.nothingYet : all }}
        row={({ newest: { id } }) => ({ key: id, to: { ...route, uplink: id }, 'data-uplink': id })}
        columns={[
          [
            words.tank.device,
            '22%',
            ({ newest, count }) => [newest.device_id || words.uplink.noDevice, words.uplinks(count)],
          ],
          [words.tank.one, '20%', ({ tanks }) => tanks.map(({ name }) => name).join(', ') || '–'],
          [words.uplink.whyNewest, '28%', ({ newest }) => reasons[newest.reason].why],
          [words.uplink.received, '15%', ({ newest }) => <Ago at={newest.created_at} />],
          [words.uplink.sentBy, '15%', ({ newest }) => senderInWords(newest.source)],
        ]}
      />
    </View>
  );
}

/** What waits of each device, the newest standing for all. */
async function findWaiting(client: TankMonitoring, { reason, page }: Route, signal: AbortSignal) {
  const byDevice = new Map<string, { readonly newest: Uplink; readonly count: number }>();
  let uplinks = 0;
  for await (const uplink of client.uplinks.list({ reason, size: LOOKED_AT }, { signal })) {
    const { newest = uplink, count = 0 } = byDevice.get(uplink.device_id) ?? {};
    byDevice.set(uplink.device_id, { newest, count: count + 1 });
    uplinks += 1;
    if (uplinks === LOOKED_AT) break;
  }
  const shown = [...byDevice.values()].slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const groups = shown.map(async (one) => ({ ...one, tanks: await tanksOf(client, one.newest, signal) }));
  const found = words.uplink.of(words.uplinks(uplinks), words.devices(byDevice.size));
  return {
    data: await Promise.all(groups),
    page,
    total_items: byDevice.size,
    total_pages: Math.ceil(byDevice.size / PAGE_SIZE),
    said: uplinks === LOOKED_AT ? words.uplink.theNewest(found) : found,
  };
}

/** The tank that it would belong to: none, one, or several that claim the device. */
async function tanksOf(client: TankMonitoring, { reason, device_id }: Uplink, signal: AbortSignal) {
  if (reason === 'unknown_device' || device_id === '') return [];
  return (await client.tanks.page({ assigned_device_id: device_id, size: 3 }, { signal })).data;
}
