// The uplinks that wait: which could not become readings, and why.
import type { TankMonitoring, Uplink } from 'tank-monitoring-client';
import { Pager } from '../list/pager.js';
import { AsOf } from '../parts/as-of.js';
import { Icon } from '../parts/icons.js';
import { Link } from '../parts/link.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { Ago, useNow } from '../parts/when.js';
import { go, REASONS, type Route } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { counted } from '../words.js';
import { REASON_WORDS, SOURCE_NAMES } from './words.js';

const PAGE_SIZE = 50;

interface Props {
  readonly client: TankMonitoring;
  readonly route: Route;
  /** While an uplink or a tank is shown the list waits behind it, as it was left. */
  readonly isBehind: boolean;
}

export function UplinkList({ client, route, isBehind }: Props) {
  const { reason, page } = route;
  const fresh = useFresh(
    isBehind ? undefined : JSON.stringify([reason, page]),
    (signal) => client.uplinks.page({ reason, page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list, isPrevious, trouble } = fresh;
  useTitle(isBehind ? undefined : 'Waiting uplinks');
  return (
    <article hidden={isBehind}>
      <div class="above">
        <Link to={{ ...route, view: 'list', reason: undefined, page: 1 }} class="back">
          <Icon name="back" />
          Back to the fleet
        </Link>
      </div>
      <header class="view-head">
        <h1 tabIndex={-1}>Waiting uplinks</h1>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <ReasonFilter route={route} />
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label="Uplinks">
        <div class="summary">
          <p role="status">{summaryOf(list?.total_items, trouble !== undefined)}</p>
          {list !== undefined && <Pager list={list} route={route} label="Pages" />}
        </div>
        {list?.data.length === 0 && !isPrevious && (
          <Instead title={page > 1 ? 'There is no such page' : 'Nothing waits'}>
            <p>
              {page > 1 || reason !== undefined ? (
                <Link to={{ ...route, reason: undefined, page: 1 }}>Show all uplinks that wait</Link>
              ) : (
                'Uplinks that cannot become readings appear here, with the reason.'
              )}
            </p>
          </Instead>
        )}
        {list !== undefined && list.data.length > 0 && (
          <UplinkTable uplinks={list.data} route={route} isBusy={isPrevious} />
        )}
        {list !== undefined && <Pager list={list} route={route} label="Pages, again" />}
      </section>
    </article>
  );
}

function summaryOf(total: number | undefined, isTrouble: boolean): string {
  if (total === undefined) return isTrouble ? 'Not known' : 'Loading…';
  return `${counted(total, 'uplink')}, newest first`;
}

function ReasonFilter({ route }: { readonly route: Route }) {
  return (
    <div class="filters">
      <label>
        Reason
        <select
          value={route.reason ?? ''}
          onChange={({ currentTarget: { value } }) =>
            go({ ...route, reason: REASONS.find((one) => one === value), page: 1 })
          }
        >
          <option value="">Any</option>
          {REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {REASON_WORDS[reason].why}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface TableProps {
  readonly uplinks: readonly Uplink[];
  readonly route: Route;
  readonly isBusy: boolean;
}

function UplinkTable({ uplinks, route, isBusy }: TableProps) {
  const now = useNow(30_000);
  return (
    <table class="tanks uplinks" aria-busy={isBusy}>
      <caption class="for-ears">Waiting uplinks</caption>
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">Why it waits</th>
          <th scope="col">Received</th>
          <th scope="col">Sent by</th>
        </tr>
      </thead>
      <tbody>
        {uplinks.map(({ id, device_id, reason, created_at, source }) => (
          <tr key={id}>
            <th scope="row" class="cell-tank">
              <Link to={{ ...route, uplink: id }} data-uplink={id}>
                {device_id}
              </Link>
            </th>
            <td class="cell-owner">{REASON_WORDS[reason].why}</td>
            <td class="cell-when">
              <Ago at={created_at} now={now} />
            </td>
            <td class="cell-state">{SOURCE_NAMES[source]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
