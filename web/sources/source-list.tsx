// The sources and profiles that there are, and the ways to make another one.
import type { SensorProfile, Source, TankMonitoring } from 'tank-monitoring-client';
import { everyOne } from '../api/troubles.js';
import { CustomerName } from '../customers/customer-name.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { Table } from '../parts/listing.js';
import { TroubleBanner } from '../parts/trouble.js';
import { NEW } from '../route.js';
import { profileInWords } from '../sensors/sensor-words.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const { columns, kinds } = words.sources;

export function SourceList() {
  const { client, route } = usePage();
  const fresh = useFresh(['sources'], (signal) => findAll(client, signal), NOT_IN_FEED);
  return (
    <section class="results" aria-label={words.settings.parts.sources}>
      <p>{words.sources.note}</p>
      <TroubleBanner of={[fresh]} />
      <div class="actions">
        <Link to={{ ...route, source: NEW }} class="button main-action">
          {words.sources.add.source}
        </Link>
        <Link to={{ ...route, profile: NEW }} class="button">
          {words.sources.add.profile}
        </Link>
      </div>
      <Table<Source | SensorProfile>
        name="sources"
        caption={words.settings.parts.sources}
        items={fresh.data}
        row={({ object, id }) => ({ key: `${object} ${id}`, to: { ...route, [kindOf(object)]: id } })}
        columns={[
          [words.sources.name, '34%', ({ name, id }) => [name, id]],
          [columns.kind, '16%', ({ object }) => kinds[kindOf(object)]],
          [columns.what, '50%', (one) => (one.object === 'source' ? whoseIs(one) : profileInWords(one))],
        ]}
      />
    </section>
  );
}

const whoseIs = ({ built_in, customer_id: id }: Source) =>
  built_in ? words.sources.builtIn : <CustomerName id={id} />;

const kindOf = (object: (Source | SensorProfile)['object']) => (object === 'source' ? 'source' : 'profile');

/** One's own first. */
async function findAll(client: TankMonitoring, signal: AbortSignal): Promise<(Source | SensorProfile)[]> {
  const sources = await everyOne(client.sources.list({}, { signal }));
  const profiles = await everyOne(client.sensorProfiles.list({}, { signal }));
  return [...sources.filter((one) => !one.built_in), ...profiles, ...sources.filter((one) => one.built_in)];
}
