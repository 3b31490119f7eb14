// What is entered, saving it, and what comes of that. The service judges; a change names the version it was made of, so that nothing
// that somebody else saved meanwhile is overwritten unseen.
import { useState } from 'preact/hooks';
import {
  ifUnchanged,
  ProblemError,
  type Key,
  type TankInput,
  type TankMonitoring,
} from 'tank-monitoring-client';
import { isTrouble } from '../api/troubles.js';
import { undoBy, type Leave } from '../notice.js';
import type { Route } from '../route.js';
import { keepInTab } from '../session.js';
import { unlessOvertaken, useAlone } from './attempts.js';
import { useDraft } from './draft.js';
import type { Failure } from './failure.js';
import { faultsIn } from './faults.js';
import type { Faults, Filled } from './field.js';
import {
  bodyOf,
  LABELS,
  NAMES,
  newValues,
  questionsOn,
  REQUIRED,
  valuesBy,
  valuesOf,
  type Values,
} from './fields.js';
import { changedIn, differencesOf, merge, type Difference } from './merge.js';
import { deletedPlace, findOwner, isLive, type Opened } from './opened.js';

export interface Editing {
  readonly client: TankMonitoring;
  readonly ownKey: Key;
  readonly opened: Opened;
  readonly route: Route;
  readonly onDone: Leave;
}

/** One that was deleted has no name. */
interface Owner {
  readonly id: string;
  readonly name?: string;
}

/** Names by id, of the owners that the form has met. */
export type Owners = Readonly<Record<string, string>>;

export function useEditing({ client, ownKey, opened, route, onDone: leave }: Editing) {
  const [id] = useState(() => route.tank ?? newId());
  const [tank, setTank] = useState(opened.tank);
  const base = tank === undefined ? undefined : valuesOf(tank);
  const [fresh] = useState(() => ({
    ...newValues(ownKey.customer_id ?? route.owner ?? '', route.device ?? ''),
    ...opened.known,
  }));
  const { values, setValues, drop } = useDraft(`${route.form} ${route.tank}`, base ?? fresh);
  const [owners, setOwners] = useState<Owners>(() => nameOf(opened.owner));
  const [settled, setSettled] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<Failure>();
  const [differences, setDifferences] = useState<readonly Difference[]>();
  const condition = () => (tank === undefined ? {} : ifUnchanged(tank));
  const here: Route = { ...route, form: undefined };
  const onDone: Leave = (...done) => {
    drop();
    leave(...done);
  };
  const gone: (notice: string, undo?: Parameters<Leave>[2]) => void = (notice, undo) =>
    onDone(notice, { ...here, tank: undefined }, undo);

  const put = (entered: Values, asked?: Faults) => {
    // What is left out gets its default, and is missed where it has none.
    const given = NAMES.filter((name) => entered[name] !== '');
    return client.tanks.put(id, bodyOf(entered, given, asked) as TankInput);
  };
  const add = async (entered: Values, asked: Faults) => {
    await put(entered, asked);
    const isBack = opened.known !== undefined;
    onDone(`${entered.name} ${isBack ? 'is back' : 'was added'}.`, { ...here, tank: id });
  };

  const edit = async (before: Values, entered: Values, asked: Faults) => {
    const changed = changedIn(entered, before);
    if (changed.length === 0) return onDone('Nothing was changed.', here);
    const body = bodyOf(entered, changed, asked);
    const isDone = await unlessOvertaken(client.tanks.patch(id, body, condition()));
    const stored = isDone ? entered : await meetStored(before, entered);
    // It may be stored already: somebody else made the same change, or the answer to the first try was lost.
    const isStored = stored !== undefined && changed.every((name) => stored[name] === entered[name]);
    if (isStored) onDone('Saved.', here);
  };

  /** What somebody else stored meanwhile becomes what the form is compared with; undefined when it is gone. */
  const meetStored = async (before: Values, entered: Values): Promise<Values | undefined> => {
    const now = await client.tanks.get(id);
    if (!isLive(now)) {
      gone(`${before.name} was deleted meanwhile.`);
      return undefined;
    }
    const stored = valuesOf(now);
    if (stored.owner_id !== before.owner_id) meetOwner(await findOwner(client, stored.owner_id));
    setTank(now);
    setValues(merge(before, entered, stored));
    setDifferences(differencesOf(before, entered, stored));
    return stored;
  };

  const meetOwner = (owner: Owner | undefined) => setOwners((met) => ({ ...met, ...nameOf(owner) }));
  const { isBusy, alone } = useAlone();
  const attempt = (act: (entered: Values, asked: Faults) => Promise<void>) =>
    alone(async () => {
      const entered = valuesBy((name) =>
        values[name] === base?.[name] ? values[name] : values[name].trim(),
      );
      const asked = questionsOn(entered, base, settled);
      setValues(entered);
      setFaults({});
      setFailure(undefined);
      setDifferences(undefined);
      try {
        await act(entered, asked);
      } catch (error) {
        if (!isTrouble(error)) throw error;
        const found =
          error instanceof ProblemError
            ? { ...(await faultsIn(client, error, { id, entered, before: base })), ...asked }
            : {};
        setFaults(found);
        setFailure({ trouble: error, wrong: Object.keys(found).length });
      }
    });
  const save = () =>
    attempt((entered, asked) => (base === undefined ? add(entered, asked) : edit(base, entered, asked)));
  const remove = () =>
    attempt(async (entered) => {
      const isDone = await unlessOvertaken(client.tanks.delete(id, condition()));
      if (base === undefined) return;
      if (!isDone) {
        await meetStored(base, entered);
        return;
      }
      keepInTab(deletedPlace(id), base);
      const undo = undoBy(() => put(base), `${base.name} is back.`, { ...here, tank: id });
      gone(`${base.name} was deleted.`, undo);
    });

  const filled: Filled = {
    labels: LABELS,
    required: REQUIRED,
    values,
    faults,
    set: (name, value, isSettled = false) => {
      if (isSettled) setSettled(value);
      setValues((before) => ({ ...before, [name]: value }));
      setFaults(({ [name]: _corrected, ...others }) => others);
    },
  };
  const isPutRight = failure !== undefined && failure.wrong > 0 && Object.keys(faults).length === 0;
  const shown = isPutRight ? undefined : failure;
  return { filled, base, owners, meetOwner, isBusy, failure: shown, differences, save, remove };
}

function nameOf(owner: Owner | undefined): Owners {
  return owner?.name === undefined ? {} : { [owner.id]: owner.name };
}

/** Made here, so that something new whose answer was lost is not there twice when it is sent again. */
export function newId(): string {
  // crypto.randomUUID is not there without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
