// The sources and profiles that there are, and the ways to make another one.
import type { SensorProfile, Source, TankMonitoring } from 'tank-monitoring-client';
import { Link } from '../parts/link.js';
import { Table } from '../parts/table.js';
import { TroubleBanner } from '../parts/trouble.js';
import type { ViewProps } from '../parts/view-props.js';
import { NEW } from '../route.js';
import { profileInWords } from '../sensors/sensor-words.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

const { columns, kinds } = words.sources;
const COLUMNS = { [columns.name]: '34%', [columns.kind]: '16%', [columns.what]: '50%' };

export function SourceList({ client, route }: ViewProps) {
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
      <Table name="sources" caption={words.settings.parts.sources} columns={COLUMNS} items={fresh.data}>
        {(one) => (
          <tr key={`${one.object} ${one.id}`}>
            <th scope="row" class="cell-tank">
              <Link to={{ ...route, [one.object === 'source' ? 'source' : 'profile']: one.id }}>
                {one.name}
              </Link>
              <span class="second">{one.id}</span>
            </th>
            <td>{one.object === 'source' ? kinds.source : kinds.profile}</td>
            <td>{one.object === 'source' ? words.sources.whose(one) : profileInWords(one)}</td>
          </tr>
        )}
      </Table>
    </section>
  );
}

/** One's own first. */
async function findAll(client: TankMonitoring, signal: AbortSignal): Promise<(Source | SensorProfile)[]> {
  const [own, others]: [Source[], Source[]] = [[], []];
  for await (const one of client.sources.list({}, { signal })) (one.built_in ? others : own).push(one);
  const profiles: SensorProfile[] = [];
  for await (const one of client.sensorProfiles.list({}, { signal })) profiles.push(one);
  return [...own, ...profiles, ...others];
}
