// Which customer it is: found by any part of name, email or phone, or added; an id may be entered as it is.
import { useRef, useState } from 'preact/hooks';
import { useName } from '../customers/customer-name.js';
import { NewCustomer } from '../customers/new-customer.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { mayAddCustomers } from '../session.js';
import { Field, type Filled } from './field.js';
import { FoundList, useFound } from './found.js';
import type { Owner, Owners } from './use-editing.js';
import { words } from '../words/words.js';

interface Choice {
  readonly id: string;
  readonly set: (id: string) => void;
  /** Names that are known already. */
  readonly names?: Owners | undefined;
  readonly onMet?: ((customer: Owner) => void) | undefined;
}

/** An input that shows the name of the customer, and what is found as one types, to choose from. */
export function useCustomerChoice({ id, set, names = {}, onMet }: Choice) {
  const { client } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Owner>();
  const isTyped = typed === id && id !== '';
  const found = useFound(
    'customer',
    isTyped ? id.trim() : '',
    async (q, signal) => (await client.customers.page({ q, size: 20 }, { signal })).data,
  );
  const met = chosen?.id === id ? chosen.name : names[id];
  const stored = useName('customers', isTyped || met !== undefined ? '' : id).name;
  const name = isTyped || id === '' ? undefined : (met ?? stored);
  const choose = (customer: Owner) => {
    setChosen(customer);
    onMet?.(customer);
    set(customer.id);
    setTyped('');
    field.current?.focus();
  };
  const input = {
    field,
    placeholder: words.customer.searchFor,
    called: name,
    onType: (text: string) => {
      setTyped(text);
      set(text);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || found?.[0] === undefined) return;
      event.preventDefault(); // not the whole form
      if (found.length === 1) choose(found[0]);
    },
  };
  const list = (
    <FoundList found={found} one="customer">
      {(one) => (
        <Button key={one.id} onClick={() => choose(one)}>
          {one.name} <span class="second">{one.email ?? one.id}</span>
        </Button>
      )}
    </FoundList>
  );
  return { name, isTyped, choose, input, list };
}

interface Props<Name extends string> {
  readonly filled: Filled<Name>;
  readonly name: Name;
}

export function CustomerField<Name extends string>({ filled, name }: Props<Name>) {
  const { input, list } = useCustomerChoice({
    id: filled.values[name],
    set: (id) => filled.set(name, id),
  });
  return (
    <Field filled={filled} name={name} input={input}>
      {list}
    </Field>
  );
}

interface OwnerProps {
  readonly filled: Filled;
  readonly owners: Owners;
  readonly onMet: (owner: Owner) => void;
}

/** Whose tank it is. */
export function OwnerField({ filled, owners, onMet }: OwnerProps) {
  const { me } = usePage();
  // A bound key has but one owner to give.
  const isFixed = me.customer_id !== null;
  const [added, setAdded] = useState(0);
  const { choose, input, list } = useCustomerChoice({
    id: filled.values.owner_id,
    set: (id) => filled.set('owner_id', id),
    names: owners,
    onMet,
  });
  const chooseNew = (owner: Owner) => {
    setAdded(added + 1);
    choose(owner);
  };
  return (
    <Field
      filled={filled}
      name="owner_id"
      hint={isFixed ? words.form.ownerFixed : words.form.ownerHint}
      input={{ ...input, readOnly: isFixed, placeholder: '' }}
    >
      {list}
      {/* Each time another one. */}
      {mayAddCustomers(me) && <NewCustomer key={added} onAdded={chooseNew} />}
    </Field>
  );
}
