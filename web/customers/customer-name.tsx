// What a customer is called, where only its id is at hand; the id where that is not known.
import { orUndefined } from '../api/troubles.js';
import { usePage } from '../page.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

export function CustomerName({ id }: { readonly id: string }) {
  const { client } = usePage();
  const { data, trouble } = useFresh(
    ['customer name', id],
    async (signal) => (await orUndefined(client.customers.get(id, { signal }))) ?? null,
    { about: [id] },
  );
  if (data === undefined && trouble === undefined) return null;
  return <>{data != null && 'name' in data ? data.name : words.settings.oneCustomer(id)}</>;
}
