// The runs, the newest day first; a truck is filled with who is due.
import type { RunSummary } from 'tank-monitoring-client';
import { count, volume } from '../format.js';
import { usePage } from '../page.js';
import { Listing, pageOf } from '../parts/listing.js';
import { View, type ListViewProps } from '../parts/view.js';
import { START } from '../route.js';
import { mayChangeRuns } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { RunDialog, suggested } from './run-dialog.js';
import { dayOf, loadOf } from './run-words.js';
import { words } from '../words/words.js';

const { columns } = words.runs;

export function RunsView({ isBehind }: ListViewProps) {
  const { client, me, route, onDone } = usePage();
  const asked = pageOf(route);
  const fresh = useFresh(
    isBehind ? undefined : ['runs', asked],
    (signal) => client.runs.page(asked, { signal }),
    NOT_IN_FEED,
  );
  const fill = mayChangeRuns(me) && (
    <RunDialog
      label={words.runs.suggest}
      title={words.runs.suggestTitle}
      action={words.runs.suggest}
      isMain
      asksWhere
      capacity={route.truck}
      onSave={async (wanted) => {
        const made = await suggested(client, wanted, route.fillTo);
        if (typeof made === 'string') return made;
        onDone(words.runs.made(made.leftOut), { ...START, view: 'runs', run: made.run.id });
        return undefined;
      }}
    />
  );
  return (
    <View title={words.views.runs} fresh={[fresh]} isBehind={isBehind} action={fill}>
      <Listing
        fresh={fresh}
        name="runs"
        title={words.views.runs}
        said={words.runs.many}
        none={{ title: words.runs.none, note: words.runs.noneWhy }}
        row={({ id }) => ({ key: id, to: { ...route, run: id }, 'data-run': id })}
        columns={[
          [words.runs.one, '30%', ({ date, name }) => [dayOf(date), name ?? words.runs.noName]],
          [
            columns.status,
            '20%',
            (run) => [
              words.runs.status[run.status],
              words.runs.stopsDone(run.stop_count - run.open_count, run.stop_count),
            ],
          ],
          [columns.load, '30%', loadOf],
          [columns.delivered, '20%', deliveredIn],
        ]}
      />
    </View>
  );
}

function deliveredIn({ delivered, capacity_unit: unit, discrepancies }: RunSummary) {
  const brought = volume(delivered, unit);
  const first = (
    <>
      <span class="at-desk">{brought}</span>
      <span class="on-phone">{words.runs.wasDelivered(brought)}</span>
    </>
  );
  const differs = discrepancies > 0 && words.runs.discrepancies(count(discrepancies));
  return [
    first,
    <span key="differs" class="over">
      {differs}
    </span>,
  ] as const;
}
