// Whose tank it is. Customers are found by any part of name, email or phone, or added; an id may be entered as it is.
import { useState } from 'preact/hooks';
import type { TankMonitoring } from 'tank-monitoring-client';
import { NewCustomer } from '../customers/new-customer.js';
import { Field, type Filled } from './field.js';
import { FoundList, useFound } from './found.js';
import type { Owners } from './use-editing.js';

interface Props {
  readonly client: TankMonitoring;
  readonly filled: Filled;
  readonly owners: Owners;
  readonly onMet: (owner: Owner) => void;
  /** A bound key has but one owner to give. */
  readonly isFixed: boolean;
  /** Customers. */
  readonly mayAdd: boolean;
}

export function OwnerField({ client, filled, owners, onMet, isFixed, mayAdd }: Props) {
  const id = filled.values.owner_id;
  const [typed, setTyped] = useState('');
  const [added, setAdded] = useState(0);
  const found = useFound(typed === id ? id.trim() : '', (text, signal) => find(client, text, signal));
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
      hint={isFixed ? 'Your key is for this owner’s tanks only.' : HINT}
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
          <button key={owner.id} type="button" onClick={() => choose(owner)}>
            {owner.name} <span class="second">{owner.email ?? owner.id}</span>
          </button>
        )}
      </FoundList>
      {/* Each time another one. */}
      {mayAdd && <NewCustomer key={added} client={client} onAdded={chooseNew} />}
    </Field>
  );
}

const HINT = 'Type a part of the name, email or phone of a customer, or an id.';

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

async function find(client: TankMonitoring, text: string, signal: AbortSignal): Promise<readonly Owner[]> {
  return (await client.customers.page({ q: text, size: 20 }, { signal })).data;
}
