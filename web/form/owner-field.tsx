// Whose tank it is. Owners of tanks are found by their name, every customer by email; an id may be entered as it is.
import { useEffect, useState } from 'preact/hooks';
import type { ApiClient } from '../api/client.js';
import type { Customer, List, TankStatus } from '../api/types.js';
import { SHORTEST_SEARCH } from '../route.js';
import { useFresh } from '../use-fresh.js';
import { counted } from '../words.js';
import { attributesOf, FieldFrame, type Filled } from './field.js';
import type { Owners } from './use-editing.js';

const SEARCH_AFTER_MS = 300;
const SHOWN = 6;

interface Props {
  readonly client: ApiClient;
  readonly filled: Filled;
  readonly owners: Owners;
  readonly onMet: (owner: Owner) => void;
  /** A bound key has but one owner to give. */
  readonly isFixed: boolean;
}

export function OwnerField({ client, filled, owners, onMet, isFixed }: Props) {
  const id = filled.values.owner_id;
  const [typed, setTyped] = useState('');
  const found = useFound(client, typed === id ? id.trim() : '');
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
      <div class="found">
        <p role="status" class={found === undefined ? 'for-ears' : 'second'}>
          {found !== undefined &&
            (found.length === 0 ? 'No owner found' : `${counted(found.length, 'owner')} found`)}
          {found !== undefined && found.length > SHOWN && `, ${SHOWN} of them here`}
        </p>
        {found?.slice(0, SHOWN).map((owner) => (
          <button key={owner.id} type="button" onClick={() => choose(owner)}>
            {owner.name} <span class="second">{owner.email ?? owner.id}</span>
          </button>
        ))}
      </div>
    </FieldFrame>
  );
}

const HINT = 'Type the name of an owner who has tanks, or any customer’s exact email or id.';

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** A moment after the last key; undefined while nothing is looked for. */
function useFound(client: ApiClient, text: string): readonly Owner[] | undefined {
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isWanted = wanted.length >= SHORTEST_SEARCH && wanted === text;
  const { data, isPrevious } = useFresh(
    isWanted ? wanted : undefined,
    (signal) => find(client, wanted.slice(0, 100), signal),
    { once: true },
  );
  return isWanted && !isPrevious ? data : undefined;
}

async function find(client: ApiClient, text: string, signal: AbortSignal): Promise<readonly Owner[]> {
  const byEmail = text.includes('@')
    ? client.get<List<Customer>>('customers', { email: text }, signal)
    : undefined;
  const byName = client.get<List<TankStatus>>('fleet/tanks', { q: text, size: 100 }, signal);
  const customers = (await byEmail)?.data ?? [];
  const tanks = (await byName).data;
  const owners: Owner[] = [
    ...customers.map(({ id, name = '', email = '' }) => ({ id, name, email })),
    ...tanks.map(({ owner_id: id, owner_name: name }) => ({ id, name: name ?? '' })),
  ];
  const isMeant = ({ name, email }: Owner) =>
    email !== undefined || name.toLowerCase().includes(text.toLowerCase());
  const byId = new Map(owners.filter(isMeant).map((owner) => [owner.id, owner]));
  return [...byId.values()];
}
