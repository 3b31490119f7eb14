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
import { actorInWords, fieldInWords, operationInWords, valueInWords } from './setting-words.js';
import { words } from '../words/words.js';

const PAGE_SIZE = 50;
const { columns } = words.settings;
const COLUMNS = {
  [columns.what]: '28%',
  [columns.changes]: '36%',
  [columns.who]: '21%',
  [columns.when]: '15%',
};

export function ActivityList({ client, route }: ViewProps) {
  const { page, changesOf } = route;
  const fresh = useFresh(
    ['activity', page, changesOf],
    (signal) => client.activity.page({ object_id: changesOf, page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list, isPrevious } = fresh;
  const said = list && words.newestFirst(words.settings.changes(list.total_items));
  return (
    <section class={isPrevious ? 'results results-previous' : 'results'} aria-labelledby="activity">
      <header class="view-head">
        <h2 id="activity">{words.settings.parts.activity}</h2>
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      {changesOf !== undefined && (
        <p class="owner-filter">
          {words.settings.onlyOf} <strong>{list?.data[0]?.object_name ?? changesOf}</strong>.{' '}
          <Link to={{ ...route, changesOf: undefined, page: 1 }}>{words.settings.allActivity}</Link>
        </p>
      )}
      <Summary list={list} said={said} route={route} />
      {list?.total_items === 0 && (
        <Instead title={words.settings.noChanges}>
          <p>{words.settings.noChangesYet}</p>
        </Instead>
      )}
      <Table
        name="activity"
        caption={words.settings.parts.activity}
        columns={COLUMNS}
        items={list?.data}
        isBusy={isPrevious}
      >
        {(entry, now) => (
          <tr key={entry.id}>
            <td>
              <Link
                to={{ ...route, changesOf: entry.object_id, page: 1 }}
                class="first"
                title={entry.object_id}
              >
                {words.settings.things[entry.type]} {entry.object_name ?? entry.object_id}
              </Link>
              <span class="second">{operationInWords(entry.operation)}</span>
            </td>
            <td class="above-row">
              {entry.type === 'tank' && (
                <Link to={{ ...START, tank: entry.object_id }}>{words.settings.showTank}</Link>
              )}
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
          {name.startsWith('stops.') && (
            <>
              <Link to={{ ...START, tank: name.split('.').slice(1, -1).join('.') }}>
                {words.runs.stop}
              </Link>{' '}
            </>
          )}
          {fieldInWords(name)}: {valueInWords(name, from)} <span aria-hidden="true">→</span>
          <span class="for-ears">{words.settings.to}</span> {valueInWords(name, to)}
        </li>
      ))}
    </ul>
  );
}
