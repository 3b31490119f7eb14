// What is entered, saving it, and what comes of that. The service judges; a change names the version it was made of, so that nothing
// that somebody else saved meanwhile is overwritten unseen.
import { useRef, useState } from 'preact/hooks';
import type { ApiClient } from '../api/client.js';
import { isTrouble, Refusal, type Trouble } from '../api/troubles.js';
import type { Customer, OwnKey } from '../api/types.js';
import type { Route } from '../route.js';
import type { Faults, Filled } from './field.js';
import { bodyOf, fieldAt, NAMES, newValues, valuesBy, valuesOf, type Values } from './fields.js';
import { changedIn, differencesOf, merge, type Difference } from './merge.js';
import { findOwner, findTank, isLive, type Opened } from './opened.js';

export interface Editing {
  readonly client: ApiClient;
  readonly ownKey: OwnKey;
  readonly opened: Opened;
  readonly route: Route;
  /** Says what was done and shows what is left. */
  readonly onDone: (notice: string, next: Route) => void;
}

export interface Failure {
  readonly trouble: Trouble;
  /** How many fields it is about; their faults stand beside them. */
  readonly wrong: number;
}

/** Names by id, of the owners that the form has met. */
export type Owners = Readonly<Record<string, string>>;

export function useEditing({ client, ownKey, opened, route, onDone }: Editing) {
  const [id] = useState(() => opened.tank?.object.id ?? newId());
  const [tank, setTank] = useState(opened.tank);
  const base = tank === undefined ? undefined : valuesOf(tank.object);
  const [values, setValues] = useState(() => base ?? newValues(ownKey.customer_id ?? route.owner ?? ''));
  const [owners, setOwners] = useState<Owners>(() => nameOf(opened.owner));
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<Failure>();
  const [differences, setDifferences] = useState<readonly Difference[]>();
  const path = `tanks/${encodeURIComponent(id)}`;
  const here: Route = { ...route, form: undefined };
  const gone = (notice: string) => onDone(notice, { ...here, tank: undefined });

  const add = async (entered: Values) => {
    // What is left out gets its default, and is missed where it has none.
    const given = NAMES.filter((name) => entered[name] !== '');
    await client.change(path, { method: 'PUT', body: bodyOf(entered, given) });
    onDone(`${entered.name} was added.`, { ...here, tank: id });
  };

  const edit = async (before: Values, entered: Values) => {
    const changed = changedIn(entered, before);
    if (changed.length === 0) return onDone('Nothing was changed.', here);
    const body = bodyOf(entered, changed);
    const isDone = await unlessOvertaken(client.change(path, { method: 'PATCH', body, tag: tank?.tag }));
    const stored = isDone ? entered : await meetStored(before, entered);
    // It may be stored already: somebody else made the same change, or the answer to the first try was lost.
    const isStored = stored !== undefined && changed.every((name) => stored[name] === entered[name]);
    if (isStored) onDone('Saved.', here);
  };

  /** What somebody else stored meanwhile becomes what the form is compared with; undefined when it is gone. */
  const meetStored = async (before: Values, entered: Values): Promise<Values | undefined> => {
    const now = await findTank(client, id);
    if (!isLive(now)) {
      gone(`${before.name} was deleted meanwhile.`);
      return undefined;
    }
    const stored = valuesOf(now.object);
    if (stored.owner_id !== before.owner_id) meetOwner(await findOwner(client, stored.owner_id));
    setTank(now);
    setValues(merge(before, entered, stored));
    setDifferences(differencesOf(before, entered, stored));
    return stored;
  };

  const meetOwner = (owner: Customer | undefined) => setOwners((met) => ({ ...met, ...nameOf(owner) }));
  const { isBusy, alone } = useAlone();
  const attempt = (act: (entered: Values) => Promise<void>) =>
    alone(async () => {
      const entered = valuesBy((name) =>
        values[name] === base?.[name] ? values[name] : values[name].trim(),
      );
      setValues(entered);
      setFaults({});
      setFailure(undefined);
      setDifferences(undefined);
      try {
        await act(entered);
      } catch (error) {
        if (!isTrouble(error)) throw error;
        const found = error instanceof Refusal ? faultsOf(error) : {};
        setFaults(found);
        setFailure({ trouble: error, wrong: Object.keys(found).length });
      }
    });
  const save = () => attempt((entered) => (base === undefined ? add(entered) : edit(base, entered)));
  const remove = () =>
    attempt(async (entered) => {
      const isDone = await unlessOvertaken(client.change(path, { method: 'DELETE', tag: tank?.tag }));
      if (isDone) gone(`${base?.name} was deleted.`);
      else if (base !== undefined) await meetStored(base, entered);
    });

  const filled: Filled = {
    values,
    faults,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults(({ [name]: _corrected, ...others }) => others);
    },
  };
  const isPutRight = failure !== undefined && failure.wrong > 0 && Object.keys(faults).length === 0;
  const shown = isPutRight ? undefined : failure;
  return { filled, base, owners, meetOwner, isBusy, failure: shown, differences, save, remove };
}

/** One at a time, however often a button is pressed. */
function useAlone() {
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(false);
  const alone = async (act: () => Promise<void>) => {
    if (latest.current) return;
    setIsBusy((latest.current = true));
    await act().finally(() => setIsBusy((latest.current = false)));
  };
  return { isBusy, alone };
}

/** False when the object is not that version any more. */
async function unlessOvertaken(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 412) return false;
    throw error;
  }
}

function faultsOf({ detail, facts: { code, errors = [], tank_id: holder } }: Refusal): Faults {
  if (code === 'device_taken') return { assigned_device_id: { detail, holder } };
  const named = errors.map((error) => [fieldAt(error.pointer), { detail: error.detail }] as const);
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}

function nameOf(owner: Customer | undefined): Owners {
  return owner?.name === undefined ? {} : { [owner.id]: owner.name };
}

/** Made here, so that a new tank whose answer was lost is not there twice when it is sent again. */
function newId(): string {
  // crypto.randomUUID is not there without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
