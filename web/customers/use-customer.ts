// What is entered of a customer, saving it, and what is wrong with it.
import { useState } from 'preact/hooks';
import { ifUnchanged, type Customer, type CustomerInput } from 'tank-monitoring-client';
import { unlessOvertaken } from '../form/attempts.js';
import type { Fields, Texts } from '../form/field.js';
import { merge } from '../form/merge.js';
import { newId, useForm } from '../form/use-form.js';
import { usePage } from '../page.js';
import { findCustomer } from './customer-view.js';
import { words } from '../words/words.js';

/** Other names than a tank's fields: they may be in one document. */
type CustomerField = `customer_${'name' | 'email' | 'phone'}`;
const FIELDS: Fields<CustomerField> = {
  customer_name: { label: words.fields.name, isRequired: true, pointer: '/name' },
  customer_email: { label: words.fields.email, isRequired: true, pointer: '/email' },
  customer_phone: { label: words.fields.phone, pointer: '/phone' },
};
export const CUSTOMER_FIELDS = Object.keys(FIELDS) as CustomerField[];

const valuesOf = (customer: Customer | undefined): Texts<CustomerField> => ({
  customer_name: customer?.name ?? '',
  customer_email: customer?.email ?? '',
  customer_phone: customer?.phone ?? '',
});

/** What is left empty is missed by the service where it is required. */
const bodyOf = (values: Texts<CustomerField>): CustomerInput => ({
  name: values.customer_name.trim(),
  email: values.customer_email.trim(),
  phone: values.customer_phone.trim() || null,
});

/** `draft`: its name, where it is a form of its own. */
export function useCustomer(opened: Customer | undefined, draft?: string) {
  const { client } = usePage();
  const [id] = useState(() => opened?.id ?? newId());
  const [base, setBase] = useState(opened);
  const form = useForm({ fields: FIELDS, stored: valuesOf(base), draft });
  const [wasChanged, setWasChanged] = useState(false);
  const { values } = form.filled;

  /** Somebody else's change is shown where the visitor has entered nothing, and overwritten only when it is saved again. */
  const meetStored = async () => {
    const stored = await findCustomer(client, id);
    if (stored === null) return;
    form.compareWith(valuesOf(stored));
    form.setValues(merge(valuesOf(base), values, valuesOf(stored)));
    setBase(stored);
    setWasChanged(true);
  };
  const save = (onSaved: (customer: { readonly id: string; readonly name: string }) => void) =>
    form.send(async () => {
      const entered = bodyOf(values);
      setWasChanged(false);
      if (base === undefined) await client.customers.put(id, entered);
      else if (!(await unlessOvertaken(client.customers.patch(id, entered, ifUnchanged(base)))))
        return meetStored();
      form.drop();
      onSaved({ id, name: entered.name });
    });
  const remove = (onRemoved: (restore?: () => Promise<unknown>) => void) =>
    form.send(async () => {
      const before = await findCustomer(client, id);
      if (before !== null) await client.customers.delete(id, ifUnchanged(before));
      form.drop();
      onRemoved(before === null ? undefined : () => client.customers.restore(id));
    });
  return { form, wasChanged, save, remove };
}
