// Who changed what, when, from what to what; of the whole service or of one thing.
import type { Activity, TankMonitoring } from 'tank-monitoring-client';
import { Pager } from '../list/pager.js';
import { AsOf } from '../parts/as-of.js';
import { Link } from '../parts/link.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import { Ago, useNow } from '../parts/when.js';
import type { Route } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { counted } from '../words.js';
import { actorInWords, operationInWords, TYPE_WORDS, valueInWords } from './words.js';

const PAGE_SIZE = 50;

interface Props {
  readonly client: TankMonitoring;
  readonly route: Route;
}

export function ActivityList({ client, route }: Props) {
  const { page, changesOf } = route;
  const fresh = useFresh(
    JSON.stringify([page, changesOf]),
    (signal) => client.activity.page({ object_id: changesOf, page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list, isPrevious } = fresh;
  return (
    <section class={isPrevious ? 'results results-previous' : 'results'} aria-labelledby="activity">
      <header class="view-head">
        <h2 id="activity">Activity</h2>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      {changesOf !== undefined && (
        <p class="owner-filter">
          Only of <code>{changesOf}</code>.{' '}
          <Link to={{ ...route, changesOf: undefined, page: 1 }}>Show all activity</Link>
        </p>
      )}
      <div class="summary">
        <p role="status">
          {list === undefined ? 'Loading…' : `${counted(list.total_items, 'change')}, newest first`}
        </p>
        {list !== undefined && <Pager list={list} route={route} label="Pages" />}
      </div>
      {list?.total_items === 0 && (
        <Instead title="Nothing was changed">
          <p>What people and programs change appears here, and is kept for 400 days.</p>
        </Instead>
      )}
      {list !== undefined && list.data.length > 0 && (
        <ActivityTable entries={list.data} route={route} isBusy={isPrevious} />
      )}
    </section>
  );
}

interface TableProps {
  readonly entries: readonly Activity[];
  readonly route: Route;
  readonly isBusy: boolean;
}

function ActivityTable({ entries, route, isBusy }: TableProps) {
  const now = useNow(30_000);
  return (
    <table class="tanks activity" aria-busy={isBusy}>
      <caption class="for-ears">Activity</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Changes</th>
          <th scope="col">Who</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <span class="first">
                {TYPE_WORDS[entry.type]}: {operationInWords(entry.operation)}
              </span>
              <Link to={{ ...route, changesOf: entry.object_id, page: 1 }} class="second">
                {entry.object_id}
              </Link>
            </td>
            <td>
              <Changes of={entry} />
            </td>
            <td>{actorInWords(entry)}</td>
            <td>
              <Ago at={entry.created_at} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Changes({ of: { changes } }: { readonly of: Activity }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return <span class="second">–</span>;
  return (
    <ul class="plain">
      {fields.map(([name, { from, to }]) => (
        <li key={name}>
          <code>{name}</code>: {valueInWords(from)} <span aria-hidden="true">→</span>
          <span class="for-ears"> to</span> {valueInWords(to)}
        </li>
      ))}
    </ul>
  );
}
