// Who changed what, when, from what to what; of the whole service or of one thing.
import type { Activity } from 'tank-monitoring-client';
import { useName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { Listing, pageOf } from '../parts/listing.js';
import { Ago } from '../parts/when.js';
import { START } from '../route.js';
import { RunChanges, RunDay } from '../runs/run-changes.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { actorInWords, fieldInWords, operationInWords, valueInWords } from './setting-words.js';
import { words } from '../words/words.js';

const { columns, things } = words.settings;

export function ActivityList() {
  const { client, route } = usePage();
  const { changesOf } = route;
  const asked = { object_id: changesOf, ...pageOf(route) };
  const fresh = useFresh(
    ['activity', asked],
    (signal) => client.activity.page(asked, { signal }),
    NOT_IN_FEED,
  );
  const [shown] = fresh.data?.data ?? [];
  const only = changesOf !== undefined && (
    <p class="owner-filter">
      {words.settings.onlyOf}{' '}
      <strong>{shown?.object_name ?? <Called type={shown?.type ?? 'tank'} id={changesOf} />}</strong>.{' '}
      <Link to={{ ...route, changesOf: undefined, page: 1 }}>{words.settings.allActivity}</Link>
    </p>
  );
  const nameOf = ({ type, object_id: id, object_name: name }: Activity) => (
    <Link to={{ ...route, changesOf: id, page: 1 }} title={id}>
      {things[type]} {name ?? <Called type={type} id={id} />}
    </Link>
  );
  return (
    <Listing
      fresh={fresh}
      name="activity"
      title={words.settings.parts.activity}
      isPart
      said={words.settings.changes}
      none={{ title: words.settings.noChanges, note: words.settings.noChangesYet }}
      above={only}
      row={({ id }) => ({ key: id })}
      columns={[
        [columns.what, '28%', (entry) => [nameOf(entry), operationInWords(entry.operation)]],
        [columns.changes, '36%', (entry) => <Changes of={entry} />],
        [words.who, '21%', actorInWords],
        [words.when, '15%', ({ created_at }) => <Ago at={created_at} />],
      ]}
    />
  );
}

/** A sensor is called by its tank, and a run without a name by its day. */
function Called({ type, id }: { readonly type: Activity['type']; readonly id: string }) {
  const tank = useName('tanks', type === 'sensor' ? id : '');
  if (type === 'run') return <RunDay id={id} />;
  return <>{tank.name ?? id}</>;
}

function Changes({ of }: { readonly of: Activity }) {
  const fields = Object.entries(of.changes).filter(
    ([name]) => of.type !== 'run' || !/^stops(?:\.|$)/.test(name),
  );
  return (
    <>
      {of.type === 'tank' && <Link to={{ ...START, tank: of.object_id }}>{words.settings.showTank}</Link>}
      {Object.keys(of.changes).length > 0 && (
        <ul class="plain">
          {fields.map(([name, { from, to }]) => (
            <li key={name}>
              {fieldInWords(name)}: {valueInWords(name, from)} <span aria-hidden="true">→</span>
              <span class="for-ears">{words.settings.to}</span> {valueInWords(name, to)}
            </li>
          ))}
          {of.type === 'run' && <RunChanges of={of} />}
        </ul>
      )}
    </>
  );
}
