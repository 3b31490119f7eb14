// Who changed what, when, from what to what; of the whole service or of one thing.
import type { Activity } from 'tank-monitoring-client';
import { Summary } from '../list/summary.js';
import { AsOf } from '../parts/as-of.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { Ago } from '../parts/when.js';
import { START } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { capitalised, counted } from '../words.js';
import { actorInWords, inWords, valueInWords } from './words.js';

const PAGE_SIZE = 50;

export function ActivityList({ client, route }: ViewProps) {
  const { page, changesOf } = route;
  const fresh = useFresh(
    JSON.stringify([page, changesOf]),
    (signal) => client.activity.page({ object_id: changesOf, page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list, isPrevious } = fresh;
  const said = list && `${counted(list.total_items, 'change')}, newest first`;
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
      <Summary list={list} said={said} route={route} />
      {list?.total_items === 0 && (
        <Instead title="Nothing was changed">
          <p>What people and programs change appears here, and is kept for 400 days.</p>
        </Instead>
      )}
      <Table
        name="activity"
        caption="Activity"
        columns={{ What: '28%', Changes: '36%', Who: '21%', When: '15%' }}
        items={list?.data}
        isBusy={isPrevious}
      >
        {(entry, now) => (
          <tr key={entry.id}>
            <td>
              <span class="first">
                {capitalised(inWords(entry.type))}: {inWords(entry.operation)}
              </span>
              <Link to={{ ...route, changesOf: entry.object_id, page: 1 }} class="second">
                {entry.object_id}
              </Link>
            </td>
            <td class="above-row">
              {entry.type === 'tank' && <Link to={{ ...START, tank: entry.object_id }}>Show the tank</Link>}
              <Changes of={entry} />
            </td>
            <td>{actorInWords(entry)}</td>
            <td>
              <Ago at={entry.created_at} now={now} />
            </td>
          </tr>
        )}
      </Table>
    </section>
  );
}

function Changes({ of: { changes } }: { readonly of: Activity }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
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
