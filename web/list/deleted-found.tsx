// What was deleted and has the name that is searched for, with a way to bring it back.
import type { TankMonitoring } from 'tank-monitoring-client';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Ago } from '../parts/when.js';
import { mayAddCustomers, mayChangeTanks, maySee } from '../session.js';
import { NOT_IN_FEED, useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

/** The newest deletions that are looked at, and how many are offered. */
const LOOKED_AT = 2_000;
const SHOWN = 10;

export function DeletedFound({ kind }: { readonly kind: 'tank' | 'customer' }) {
  const { client, me, route, onDone } = usePage();
  const { trouble, attempt } = useAttempt();
  const search = route.search.trim().toLowerCase();
  const may = kind === 'tank' ? mayChangeTanks(me) : mayAddCustomers(me);
  const isAsked = may && maySee(me, 'activity') && search.length > 1 && route.page === 1;
  const objects = kind === 'tank' ? client.tanks : client.customers;
  const { data, retry } = useFresh(
    isAsked ? ['deleted', kind, search] : undefined,
    (signal) => find(client, kind, search, signal),
    NOT_IN_FEED,
  );
  if (!isAsked || data === undefined || data.length === 0) return null;
  const restore = (id: string) =>
    attempt(async () => {
      const { name } = await objects.restore(id);
      retry();
      onDone(words.isBack(name), kind === 'tank' ? { ...route, tank: id } : { ...route, customer: id });
    });
  return (
    <section class="panel" aria-labelledby="deleted">
      <h2 id="deleted">{words.fields.deleted}</h2>
      <FailureBanner trouble={trouble} />
      <ul class="plain deleted">
        {data.map(({ object_id: id, object_name: name, created_at }) => (
          <li key={id}>
            <strong>{name}</strong>{' '}
            <span class="second">
              {words.list.deletedWhen} <Ago at={created_at} />
            </span>{' '}
            <Button onClick={() => void restore(id)}>
              {words.list.restore}
              <span class="for-ears"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** By all words that were typed; the word "deleted" itself finds every one. */
async function find(client: TankMonitoring, kind: 'tank' | 'customer', search: string, signal: AbortSignal) {
  const wanted = search === words.fields.deleted.toLowerCase() ? [] : search.split(/\s+/u);
  const found = new Map<string, Awaited<ReturnType<typeof client.activity.page>>['data'][number]>();
  let seen = 0;
  for await (const entry of client.activity.list({ type: kind, operation: 'delete' }, { signal })) {
    const name = entry.object_name?.toLowerCase();
    const isFound = name !== undefined && wanted.every((word) => name.includes(word));
    if (isFound && !found.has(entry.object_id)) found.set(entry.object_id, entry);
    seen += 1;
    if (seen === LOOKED_AT || found.size === SHOWN) break;
  }
  // Some may be back.
  const objects = kind === 'tank' ? client.tanks : client.customers;
  const entries = [...found.values()];
  const now = await Promise.all(
    entries.map(({ object_id }) => objects.get(object_id, { signal }).catch(() => ({}))),
  );
  return entries.filter((_, place) => 'deleted' in (now[place] ?? {}));
}
