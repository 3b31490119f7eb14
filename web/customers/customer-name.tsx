// What a customer is called, where only its id is at hand; the id where that is not known.
import { orUndefined } from '../api/troubles.js';
import { usePage } from '../page.js';
import { useFresh } from '../use-fresh.js';
import { words } from '../words/words.js';

export function CustomerName({ id }: { readonly id: string }) {
  const { name, isKnown } = useCustomerName(id);
  return isKnown ? <>{name ?? words.settings.oneCustomer(id)}</> : null;
}

/** Of no id there is no name. */
export function useCustomerName(id: string) {
  const { client } = usePage();
  const { data, trouble } = useFresh(
    id === '' ? undefined : ['customer name', id],
    async (signal) => (await orUndefined(client.customers.get(id, { signal }))) ?? null,
    { about: [id] },
  );
  const name = data != null && 'name' in data ? data.name : undefined;
  return { name, isKnown: data !== undefined || trouble !== undefined };
}
