// What a customer or a tank is called, where only its id is at hand; the id where that is not known.
import { orUndefined } from '../api/troubles.js';
import { usePage } from '../page.js';
import { Link } from '../parts/link.js';
import { START } from '../route.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

interface Props {
  readonly id: string | null;
  /** Where it is about no one customer. */
  readonly all?: string;
}

export function CustomerName({ id, all = words.settings.allCustomers }: Props) {
  const { name, isKnown } = useName('customers', id ?? '');
  if (id === null) return <>{all}</>;
  return isKnown ? <>{name ?? words.settings.oneCustomer(id)}</> : null;
}

export function TankName({ id }: { readonly id: string }) {
  const { name, isKnown } = useName('tanks', id);
  return isKnown ? <Link to={{ ...START, tank: id }}>{name ?? words.runs.tankGone}</Link> : null;
}

/** Of no id there is no name. */
export function useName(kind: 'customers' | 'tanks', id: string) {
  const { client } = usePage();
  const { data, trouble } = useFresh(
    id === '' ? undefined : ['name', kind, id],
    async (signal) => (await orUndefined<object>(client[kind].get(id, { signal }))) ?? null,
    { about: [id] },
  );
  const name = data != null && 'name' in data ? String(data.name) : undefined;
  return { name, isKnown: data !== undefined || trouble !== undefined };
}
