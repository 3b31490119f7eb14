// The runs, the newest day first; a truck is filled with who is due.
import type { RunSummary } from 'tank-monitoring-client';
import { Summary } from '../list/summary.js';
import type { Leave } from '../notice.js';
import { AsOf } from '../parts/as-of.js';
import { Back } from '../parts/back.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { useTitle } from '../parts/title.js';
import { Instead, TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { START, type Route } from '../route.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { count, volume } from '../format.js';
import { words } from '../words/words.js';
import { RunDialog, suggested } from './run-dialog.js';
import { dayOf } from './run-words.js';

const PAGE_SIZE = 50;
const { columns } = words.runs;
const COLUMNS = {
  [columns.run]: '30%',
  [columns.status]: '20%',
  [columns.load]: '30%',
  [columns.delivered]: '20%',
};

interface Props extends ViewProps {
  readonly mayChange: boolean;
  readonly isBehind: boolean;
  readonly onDone: Leave;
}

export function RunsView({ client, route, mayChange, isBehind, onDone }: Props) {
  const { page, fillTo } = route;
  const fresh = useFresh(
    isBehind ? undefined : ['runs', page],
    (signal) => client.runs.page({ page, size: PAGE_SIZE }, { signal }),
    NOT_IN_FEED,
  );
  const { data: list, isPrevious } = fresh;
  useTitle(isBehind ? undefined : words.views.runs);
  return (
    <article hidden={isBehind}>
      <Back to={START} behind="fleet" />
      <header class="view-head">
        <h1 tabIndex={-1}>{words.views.runs}</h1>
        {mayChange && (
          <RunDialog
            label={words.runs.suggest}
            title={words.runs.suggestTitle}
            action={words.runs.suggest}
            isMain
            capacity={route.truck}
            onSave={async (wanted) => {
              const made = await suggested(client, wanted, { fill_to: fillTo });
              if (made === undefined) return words.runs.nobodyDue;
              onDone(words.runs.made(made.leftOut), { ...START, view: 'runs', run: made.run.id });
              return undefined;
            }}
          />
        )}
        <AsOf fresh={fresh} />
      </header>
      <TroubleBanner of={[fresh]} />
      <section class={isPrevious ? 'results results-previous' : 'results'} aria-label={words.views.runs}>
        <Summary
          list={list}
          said={list && words.newestFirst(words.runs.many(list.total_items))}
          route={route}
        />
        {list?.data.length === 0 && (
          <Instead title={words.runs.none}>
            <p>{words.runs.noneWhy}</p>
          </Instead>
        )}
        <Table
          name="runs"
          caption={words.views.runs}
          columns={COLUMNS}
          items={list?.data}
          isBusy={isPrevious}
        >
          {(run) => <RunRow key={run.id} run={run} route={route} />}
        </Table>
      </section>
    </article>
  );
}

function RunRow({ run, route }: { readonly run: RunSummary; readonly route: Route }) {
  const { id, name, date, status, capacity, capacity_unit: unit, planned, delivered, discrepancies } = run;
  const load = volume(planned, unit);
  return (
    <tr>
      <th scope="row" class="cell-tank">
        <Link to={{ ...route, run: id }} data-run={id}>
          {dayOf(date)}
        </Link>
        <span class="second">{name ?? words.runs.noName}</span>
      </th>
      <td>
        <span class="first">{words.runs.status[status]}</span>
        <span class="second">{words.runs.stopsDone(run.stop_count - run.open_count, run.stop_count)}</span>
      </td>
      <td>
        <span class="first">
          {capacity === null ? load : words.list.volumeOf(load, volume(capacity, unit))}
        </span>
        <span class="second">
          {capacity !== null && planned > capacity && words.runs.tooMuch(volume(planned - capacity, unit))}
        </span>
      </td>
      <td>
        <span class="first">{volume(delivered, unit)}</span>
        <span class="second over">{discrepancies > 0 && words.runs.discrepancies(count(discrepancies))}</span>
      </td>
    </tr>
  );
}
