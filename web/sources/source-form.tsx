// The view in which a source or a profile is made from a message, which was pasted or waits.
import type { SensorProfile, Source, TankMonitoring } from 'tank-monitoring-client';
import { everyOne, orUndefined } from '../api/troubles.js';
import { FormFrame } from '../form/editor.js';
import { usePage } from '../page.js';
import { NEW, START, type Route } from '../route.js';
import { keptInTab, mayChangeTanks } from '../session.js';
import type { Kind } from './made.js';
import { Maker } from './maker.js';
import { words } from '../words/words.js';

export type Opened = NonNullable<Awaited<ReturnType<typeof openMaker>>>;

export function SourceForm() {
  const { client, me, route } = usePage();
  const { profile, source, from } = route;
  const kind: Kind = profile === undefined ? 'source' : 'profile';
  const id = profile ?? source ?? NEW;
  const list: Route = { ...START, view: 'settings', setting: 'sources', from };
  const back: Route = from === undefined ? list : { ...START, view: 'uplinks', uplink: from };
  return (
    <FormFrame
      key={`${source} ${profile}`}
      open={(signal) => openMaker(client, kind, route, signal)}
      titleOf={(opened) => opened?.stored?.name ?? (id === NEW ? words.sources.add[kind] : id)}
      back={back}
      behind={from === undefined ? 'sources' : 'uplink'}
      kind="source"
      may={mayChangeTanks(me) && (kind === 'source' || me.customer_id === null)}
    >
      {(opened) => <Maker {...{ kind, opened, list, back }} />}
    </FormFrame>
  );
}

/** Null: there is no such source or profile. */
async function openMaker(client: TankMonitoring, kind: Kind, route: Route, signal: AbortSignal) {
  const { source = NEW, profile = NEW, from } = route;
  const id = kind === 'source' ? source : profile;
  const all = kind === 'source' ? client.sources : client.sensorProfiles;
  const stored = id === NEW ? undefined : await orUndefined<Source | SensorProfile>(all.get(id, { signal }));
  if (stored === undefined && id !== NEW) return null;
  const sources = await everyOne(client.sources.list({}, { signal }));
  const uplink = from === undefined ? undefined : await orUndefined(client.uplinks.get(from, { signal }));
  const kept =
    uplink === undefined ? keptInTab<{ message: string; topic: string }>('message') : asSent(uplink);
  const sender = route.source ?? uplink?.source ?? '';
  return { stored, sources, looked: { message: '', topic: '', ...kept, sender } };
}

/** What was no JSON is kept as a text. */
function asSent({ payload, topic }: { readonly payload: unknown; readonly topic: string | null }) {
  const { text, ...more } = Object(payload) as { readonly text?: unknown };
  const isText = typeof text === 'string' && Object.keys(more).length === 0;
  return { message: isText ? text : JSON.stringify(payload, null, 2), topic: topic ?? '' };
}
