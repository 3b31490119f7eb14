// The uplinks that wait, by device: which could not become readings, why, and which tank they would belong to.
import type { TankMonitoring, Uplink } from 'tank-monitoring-client';
import { Pager } from '../list/pager.js';
import { Summary } from '../list/summary.js';
import { Back } from '../parts/back.js';
import { AsOf } from '../parts/as-of.js';
import { Choice } from '../parts/choice.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { go, REASONS, type Route } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';
import { senderInWords } from './sensor-words.js';

/** The newest ones; whoever has more solves what is on top first. */
const LOOKED_AT = 1_000;
const SHOWN = 50;
const { columns } = words.uplink;
const COLUMNS = {
  [columns.device]: '22%',
  [columns.tank]: '20%',
  [columns.why]: '28%',
  [columns.received]: '15%',
  [columns.by]: '15%',
};

/** `isBehind`: while an uplink or a tank is shown the list waits behind it, as it was left. */
export function UplinkList({ client, route, isBehind }: ViewProps & { readonly isBehind: boolean }) {
  const { reason, page } = route;
  const fresh = useFresh(
    isBehind ? undefined : ['uplinks', reason, page],
    (signal) => findWaiting(client, route, signal),
    NOT_IN_FEED,
  );
  const { data: waiting, isPrevious, trouble } = fresh;
  const pages = waiting && { page, total_pages: waiting.total_pages };
  const none = trouble === undefined ? words.loading : words.notKnown;
  useTitle(isBehind ? undefined : words.views.uplinks);
  return (
    <article hidden={isBehind}>
      <Back to={{ ...route, view: 'list', reason: undefined, page: 1 }} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.uplinks}</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <div class="filters">
        <Choice
          label={words.uplink.reason}
          none={words.uplink.anyReason}
          choices={REASONS}
          inWords={(one) => words.uplink.reasons[one].why}
          chosen={reason}
          onChoose={(one) => go({ ...route, reason: one, page: 1 })}
        />
      </div>
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label={words.uplink.many}>
        <Summary list={pages} said={waiting?.said ?? none} route={route} />
        {waiting?.uplinks === 0 && !isPrevious && (
          <Instead title={words.uplink.nothing}>
            <p>
              {reason !== undefined ? (
                <Link to={{ ...route, reason: undefined, page: 1 }}>{words.uplink.showAll}</Link>
              ) : (
                words.uplink.nothingYet
              )}
            </p>
          </Instead>
        )}
        <Table
          name="uplinks"
          caption={words.uplink.caption}
          columns={COLUMNS}
          items={waiting?.groups}
          isBusy={isPrevious}
        >
          {({ newest, count, tanks }, now) => (
            <tr key={newest.id}>
              <th scope="row" class="cell-tank">
                <Link to={{ ...route, uplink: newest.id }} data-uplink={newest.id}>
                  {newest.device_id === '' ? words.uplink.noDevice : newest.device_id}
                </Link>
                <span class="second">{words.uplinks(count)}</span>
              </th>
              <td>{tanks.length === 0 ? '–' : tanks.map(({ name }) => name).join(', ')}</td>
              <td>{words.uplink.reasons[newest.reason].why}</td>
              <td>
                <Ago at={newest.created_at} now={now} />
              </td>
              <td>{senderInWords(newest.source)}</td>
            </tr>
          )}
        </Table>
        {pages !== undefined && <Pager list={pages} route={route} label={words.page.pagesAgain} />}
      </section>
    </article>
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
  const shown = [...byDevice.values()].slice((page - 1) * SHOWN, page * SHOWN);
  const groups = shown.map(async (one) => ({ ...one, tanks: await tanksOf(client, one.newest, signal) }));
  const found = words.newestFirst(words.uplink.of(words.uplinks(uplinks), words.devices(byDevice.size)));
  return {
    groups: await Promise.all(groups),
    uplinks,
    total_pages: Math.ceil(byDevice.size / SHOWN),
    said: uplinks === LOOKED_AT ? words.uplink.theNewest(found) : found,
  };
}

/** The tank that it would belong to: none, one, or several that claim the device. */
async function tanksOf(client: TankMonitoring, { reason, device_id }: Uplink, signal: AbortSignal) {
  if (reason === 'unknown_device' || device_id === '') return [];
  return (await client.tanks.page({ assigned_device_id: device_id, size: 3 }, { signal })).data;
}
