// What was changed in a run, in words: "800 L delivered to Boiler house". The activity has the ids of tanks; their names are asked for.
import type { Activity, TankMonitoring } from 'tank-monitoring-client';
import { orUndefined } from '../api/troubles.js';
import { volume } from '../format.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { START } from '../route.js';
import { fieldInWords, valueInWords } from '../settings/setting-words.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { dayOf } from './run-words.js';
import { words } from '../words/words.js';

type Change = Activity['changes'][string];
type Named = Awaited<ReturnType<typeof findNames>>;

/** More than so many tanks of a changed list are counted. */
const NAMED = 5;

/** What a run is called that has no name: its day. */
export function RunDay({ id }: { readonly id: string }) {
  const { client } = usePage();
  const { data } = useFresh(
    ['day of run', id],
    async (signal) => (await orUndefined(client.runs.get(id, { signal })))?.date ?? null,
    NOT_IN_FEED,
  );
  return <>{data === undefined ? '…' : data === null ? id : dayOf(data)}</>;
}

export function RunChanges({ of }: { readonly of: Activity }) {
  const { client } = usePage();
  const { data: named } = useFresh(
    ['changes of run', of.id],
    (signal) => findNames(client, of, signal),
    NOT_IN_FEED,
  );
  const changed = changedStops(of);
  return (
    <>
      {[...changed].map(([id, fields]) => (
        <li key={id}>
          <Link to={{ ...START, tank: id }}>{named && stopInWords(named, id, fields)}</Link>
        </li>
      ))}
      {listInWords(of, named).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </>
  );
}

/** By tank, then by field. */
function changedStops({ changes }: Activity): Map<string, Record<string, Change>> {
  const stops = new Map<string, Record<string, Change>>();
  for (const [name, change] of Object.entries(changes)) {
    const [first, ...path] = name.split('.'); // an id may have dots
    const [field, id] = [path.pop(), path.join('.')];
    if (first === 'stops' && field !== undefined) stops.set(id, { ...stops.get(id), [field]: change });
  }
  return stops;
}

function changedList({ changes: { stops } }: Activity) {
  const [was, is] = [stops?.from, stops?.to].map((list) => (Array.isArray(list) ? list.map(String) : []));
  const added = is?.filter((id) => was?.includes(id) === false) ?? [];
  const takenOut = was?.filter((id) => is?.includes(id) === false) ?? [];
  return { added, takenOut, isThere: stops !== undefined };
}

async function findNames(client: TankMonitoring, entry: Activity, signal: AbortSignal) {
  const { added, takenOut } = changedList(entry);
  const lists = [added, takenOut].filter((ids) => ids.length <= NAMED);
  const wanted = [...changedStops(entry).keys(), ...lists.flat()];
  const run = await orUndefined(client.runs.get(entry.object_id, { signal }));
  const names = new Map(run?.stops.map(({ tank_id: id, tank }) => [id, tank?.name]));
  for (const id of wanted.filter((one) => names.get(one) === undefined)) {
    const tank = await orUndefined(client.tanks.get(id, { signal }));
    names.set(id, tank === undefined || 'deleted' in tank ? words.runs.tankGone : tank.name);
  }
  return { names, unit: run?.capacity_unit ?? 'liters' };
}

function stopInWords({ names, unit }: Named, id: string, fields: Record<string, Change>): string {
  const name = names.get(id) ?? id;
  const { status, delivered, delivered_at: at, ...rest } = fields;
  const amount = (value: unknown) => (typeof value === 'number' ? volume(value, unit) : undefined);
  const [before, after] = [amount(delivered?.from), amount(delivered?.to)];
  const said = [
    after !== undefined && words.runs.deliveredTo(name, after, before),
    status !== undefined && after === undefined && words.runs.became(name, String(status.to)),
    ...Object.entries({ ...rest, ...(status === undefined && at && { delivered_at: at }) }).map(
      ([field, { from, to }]) =>
        `${name}, ${fieldInWords(field)}: ${amount(from) ?? valueInWords(field, from)} → ${amount(to) ?? valueInWords(field, to)}`,
    ),
  ];
  return said.filter((text) => text !== false).join('; ');
}

function listInWords(entry: Activity, named: Named | undefined): string[] {
  const { added, takenOut, isThere } = changedList(entry);
  if (!isThere || entry.operation !== 'update') return [];
  if (added.length + takenOut.length === 0) return [words.runs.newOrder];
  const namesOf = (ids: readonly string[]) =>
    ids.length > NAMED
      ? words.runs.stops(ids.length)
      : ids.map((id) => named?.names.get(id) ?? '…').join(', ');
  return [
    added.length > 0 ? words.runs.stopsAdded(namesOf(added)) : '',
    takenOut.length > 0 ? words.runs.stopsTakenOut(namesOf(takenOut)) : '',
  ].filter((text) => text !== '');
}
