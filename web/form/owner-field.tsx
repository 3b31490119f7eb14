// Whose tank it is. Customers are found by any part of name, email or phone, or added; an id may be entered as it is.
import { useState } from 'preact/hooks';
import { NewCustomer } from '../customers/new-customer.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { mayAddCustomers } from '../session.js';
import { Field, type Filled } from './field.js';
import { FoundList, useFound } from './found.js';
import type { Owner, Owners } from './use-editing.js';
import { words } from '../words/words.js';

interface Props {
  readonly filled: Filled;
  readonly owners: Owners;
  readonly onMet: (owner: Owner) => void;
}

export function OwnerField({ filled, owners, onMet }: Props) {
  const { client, me } = usePage();
  const id = filled.values.owner_id;
  // A bound key has but one owner to give.
  const isFixed = me.customer_id !== null;
  const [typed, setTyped] = useState('');
  const [added, setAdded] = useState(0);
  const found = useFound(
    'owner',
    typed === id ? id.trim() : '',
    async (q, signal) => (await client.customers.page({ q, size: 20 }, { signal })).data,
  );
  const choose = (owner: Owner) => {
    onMet(owner);
    filled.set('owner_id', owner.id);
    setTyped('');
    document.getElementById('owner_id')?.focus();
  };
  const chooseNew = (owner: Owner) => {
    setAdded(added + 1);
    choose(owner);
  };
  const isTyped = typed === id && id !== '';
  return (
    <Field
      filled={filled}
      name="owner_id"
      hint={isFixed ? words.form.ownerFixed : words.form.ownerHint}
      input={{
        readOnly: isFixed,
        value: isTyped ? typed : (owners[id] ?? id),
        onInput: ({ currentTarget: { value } }) => {
          setTyped(value);
          filled.set('owner_id', value);
        },
        onKeyDown: (event) => {
          if (event.key !== 'Enter' || found === undefined || found[0] === undefined) return;
          event.preventDefault(); // not the whole form
          if (found.length === 1) choose(found[0]);
        },
      }}
    >
      <FoundList found={found} one="owner">
        {(owner) => (
          <Button key={owner.id} onClick={() => choose(owner)}>
            {owner.name} <span class="second">{owner.email ?? owner.id}</span>
          </Button>
        )}
      </FoundList>
      {/* Each time another one. */}
      {mayAddCustomers(me) && <NewCustomer key={added} onAdded={chooseNew} />}
    </Field>
  );
}
