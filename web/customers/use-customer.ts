// What is entered of a customer, saving it, and what is wrong with it.
import { useState } from 'preact/hooks';
import { ifUnchanged, type Customer, type CustomerInput, type TankMonitoring } from 'tank-monitoring-client';
import { unlessOvertaken, useAttempt } from '../form/attempts.js';
import { useDraft } from '../form/draft.js';
import type { Failure } from '../form/failure.js';
import { faultsAt } from '../form/faults.js';
import type { Filled } from '../form/field.js';
import { newId } from '../form/use-editing.js';
import { findCustomer } from './customer-view.js';

/** Other names than a tank's fields: they may be in one document. */
export type CustomerField = `customer_${'name' | 'email' | 'phone'}`;
type Values = Readonly<Record<CustomerField, string>>;
const LABELS: Record<CustomerField, string> = {
  customer_name: 'Name',
  customer_email: 'Email',
  customer_phone: 'Phone',
};
export const CUSTOMER_FIELDS = Object.keys(LABELS) as CustomerField[];
const REQUIRED: ReadonlySet<CustomerField> = new Set(['customer_name', 'customer_email']);

const valuesOf = (customer: Customer | undefined): Values => ({
  customer_name: customer?.name ?? '',
  customer_email: customer?.email ?? '',
  customer_phone: customer?.phone ?? '',
});

/** `draft`: its name, where it is a form of its own. */
export function useCustomer(client: TankMonitoring, opened: Customer | undefined, draft?: string) {
  const [id] = useState(() => opened?.id ?? newId());
  const [base, setBase] = useState(opened);
  const { values, setValues, drop } = useDraft(draft, valuesOf(base));
  const [wasChanged, setWasChanged] = useState(false);
  const { isBusy, trouble, attempt } = useAttempt();
  const entry = { labels: LABELS, required: REQUIRED, values };
  const faults = faultsAt(trouble, entry, (name) => name.replace('customer_', '/'));
  const failure: Failure | undefined =
    trouble === undefined ? undefined : { trouble, wrong: Object.keys(faults).length };

  /** Somebody else's change is shown where the visitor has entered nothing, and overwritten only when it is saved again. */
  const meetStored = async () => {
    const stored = await findCustomer(client, id);
    if (stored === null) return;
    const [before, now] = [valuesOf(base), valuesOf(stored)];
    const untouched = CUSTOMER_FIELDS.filter((name) => values[name] === before[name]);
    setValues({ ...values, ...Object.fromEntries(untouched.map((name) => [name, now[name]])) });
    setBase(stored);
    setWasChanged(true);
  };

  const save = (onSaved: (customer: { readonly id: string; readonly name: string }) => void) =>
    attempt(async () => {
      const entered = bodyOf(values);
      setWasChanged(false);
      if (base === undefined) await client.customers.put(id, entered);
      else if (!(await unlessOvertaken(client.customers.patch(id, entered, ifUnchanged(base)))))
        return meetStored();
      drop();
      onSaved({ id, name: entered.name });
    });
  const remove = (onRemoved: (restore?: () => Promise<unknown>) => void) =>
    attempt(async () => {
      const before = await findCustomer(client, id);
      if (before !== null) await client.customers.delete(id, ifUnchanged(before));
      drop();
      // As it was, also what the form does not show; unless somebody else has brought it back.
      onRemoved(before === null ? undefined : () => client.customers.put(id, before, { ifNoneMatch: '*' }));
    });

  const filled: Filled<CustomerField> = {
    ...entry,
    faults,
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
  };
  return { filled, isBusy, failure, wasChanged, save, remove };
}

/** What is left empty is missed by the service where it is required. */
function bodyOf(values: Values): CustomerInput {
  const [name, email, phone] = CUSTOMER_FIELDS.map((field) => values[field].trim());
  return { name: name ?? '', email: email ?? '', phone: phone === '' ? null : phone };
}
