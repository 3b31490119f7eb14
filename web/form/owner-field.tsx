// Whose tank it is. Owners of tanks are found by their name, every customer by email; an id may be entered as it is.
import { useState } from 'preact/hooks';
import type { TankMonitoring } from 'tank-monitoring-client';
import { attributesOf, FieldFrame, type Filled } from './field.js';
import { FoundList, useFound } from './found.js';
import type { Owners } from './use-editing.js';

interface Props {
  readonly client: TankMonitoring;
  readonly filled: Filled;
  readonly owners: Owners;
  readonly onMet: (owner: Owner) => void;
  /** A bound key has but one owner to give. */
  readonly isFixed: boolean;
}

export function OwnerField({ client, filled, owners, onMet, isFixed }: Props) {
  const id = filled.values.owner_id;
  const [typed, setTyped] = useState('');
  const found = useFound(typed === id ? id.trim() : '', (text, signal) => find(client, text, signal));
  const choose = (owner: Owner) => {
    onMet(owner);
    filled.set('owner_id', owner.id);
    setTyped('');
    document.getElementById('owner_id')?.focus();
  };
  const isTyped = typed === id && id !== '';
  return (
    <FieldFrame
      filled={filled}
      name="owner_id"
      hint={isFixed ? 'Your key is for this owner’s tanks only.' : HINT}
    >
      <input
        {...attributesOf(filled, 'owner_id', true)}
        readOnly={isFixed}
        value={isTyped ? typed : (owners[id] ?? id)}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          filled.set('owner_id', value);
        }}
      />
      <FoundList found={found} one="owner">
        {(owner) => (
          <button key={owner.id} type="button" onClick={() => choose(owner)}>
            {owner.name} <span class="second">{owner.email ?? owner.id}</span>
          </button>
        )}
      </FoundList>
    </FieldFrame>
  );
}

const HINT = 'Type the name of an owner who has tanks, or any customer’s exact email or id.';

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

async function find(client: TankMonitoring, text: string, signal: AbortSignal): Promise<readonly Owner[]> {
  const byEmail = text.includes('@') ? client.customers.page({ email: text }, { signal }) : undefined;
  const byName = client.fleet.tanks.page({ q: text, size: 100 }, { signal });
  const customers = (await byEmail)?.data ?? [];
  const tanks = (await byName).data;
  const owners: Owner[] = [
    ...customers.map(({ id, name, email }) => ({ id, name, email })),
    ...tanks.map(({ owner_id: id, owner_name: name }) => ({ id, name: name ?? '' })),
  ];
  const isMeant = ({ name, email }: Owner) =>
    email !== undefined || name.toLowerCase().includes(text.toLowerCase());
  const byId = new Map(owners.filter(isMeant).map((owner) => [owner.id, owner]));
  return [...byId.values()];
}
