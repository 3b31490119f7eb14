// What is entered about a tank, saving it, and what comes of that. The service judges; a change names the version it was made of, so that
// nothing that somebody else saved meanwhile is overwritten unseen.
import { useState } from 'preact/hooks';
import { ifUnchanged, type TankInput } from 'tank-monitoring-client';
import { undoBy, type Leave } from '../notice.js';
import { usePage } from '../page.js';
import type { Route } from '../route.js';
import { unlessOvertaken } from './attempts.js';
import { faultsOfTank } from './faults.js';
import { bodyOf, FIELDS, NAMES, NEW_VALUES, questionsOn, valuesBy, valuesOf, type Values } from './fields.js';
import { changedIn, differencesOf, merge, type Difference } from './merge.js';
import { findOwner, isLive, type Opened } from './opened.js';
import { newId, useForm } from './use-form.js';
import { words } from '../words/words.js';

/** One that was deleted has no name. */
export interface Owner {
  readonly id: string;
  readonly name?: string;
}

/** Names by id, of the owners that the form has met. */
export type Owners = Readonly<Record<string, string>>;

export function useEditing(opened: Opened) {
  const { client, me, route, onDone } = usePage();
  const [id] = useState(() => route.tank ?? newId());
  const [tank, setTank] = useState(opened.tank);
  const base = tank && valuesOf(tank);
  const [fresh] = useState(() => ({
    ...NEW_VALUES,
    owner_id: me.customer_id ?? route.owner ?? '',
    assigned_device_id: route.device ?? '',
  }));
  const form = useForm({ fields: FIELDS, stored: base ?? fresh, draft: `${route.form} ${route.tank}` });
  const [owners, setOwners] = useState<Owners>(() => nameOf(opened.owner));
  const [differences, setDifferences] = useState<readonly Difference[]>();
  const { values } = form.filled;
  const entered = valuesBy((name) => (values[name] === base?.[name] ? values[name] : values[name].trim()));
  const asked = questionsOn(entered, base, form.settled.capacity);
  const condition = () => (tank === undefined ? {} : ifUnchanged(tank));
  const here: Route = { ...route, form: undefined };
  const fleet: Route = { ...here, tank: undefined };
  const leave: Leave = (...done) => {
    form.drop();
    onDone(...done);
  };
  const meetOwner = (owner: Owner | undefined) => setOwners((met) => ({ ...met, ...nameOf(owner) }));

  const add = async () => {
    // What is left out gets its default, and is missed where it has none.
    const given = NAMES.filter((name) => entered[name] !== '');
    await client.tanks.put(id, bodyOf(entered, given, asked) as TankInput);
    leave(words.wasAdded(entered.name), { ...here, tank: id });
  };
  const edit = async (before: Values) => {
    const changed = changedIn(entered, before);
    if (changed.length === 0) return leave(words.form.notChanged, here);
    const body = bodyOf(entered, changed, asked);
    const isDone = await unlessOvertaken(client.tanks.patch(id, body, condition()));
    const stored = isDone ? entered : await meetStored(before);
    // It may be stored already: somebody else made the same change, or the answer to the first try was lost.
    const isStored = stored !== undefined && changed.every((name) => stored[name] === entered[name]);
    if (isStored) leave(words.saved, here);
  };
  const remove = async (before: Values) => {
    if (await unlessOvertaken(client.tanks.delete(id, condition()))) {
      const undo = undoBy(() => client.tanks.restore(id), words.isBack(before.name), { ...here, tank: id });
      leave(words.wasDeleted(before.name), fleet, undo);
    } else await meetStored(before);
  };

  /** What somebody else stored meanwhile becomes what the form is compared with; undefined when it is gone. */
  const meetStored = async (before: Values): Promise<Values | undefined> => {
    const now = await client.tanks.get(id);
    if (!isLive(now)) {
      leave(words.form.deletedMeanwhile(before.name), fleet);
      return undefined;
    }
    const stored = valuesOf(now);
    if (stored.owner_id !== before.owner_id) meetOwner(await findOwner(client, stored.owner_id));
    setTank(now);
    form.compareWith(stored);
    form.setValues(merge(before, entered, stored));
    setDifferences(differencesOf(before, entered, stored));
    return stored;
  };

  const attempt = (act: () => Promise<void>) =>
    form.send(
      () => {
        form.setValues(entered);
        setDifferences(undefined);
        return act();
      },
      async (problem) => {
        const found = await faultsOfTank(problem, { client, id, entered, before: base });
        return { ...found, ...asked };
      },
    );
  return {
    form,
    base,
    owners,
    meetOwner,
    differences,
    save: () => attempt(() => (base === undefined ? add() : edit(base))),
    remove: () => attempt(async () => base && remove(base)),
  };
}

function nameOf(owner: Owner | undefined): Owners {
  return owner?.name === undefined ? {} : { [owner.id]: owner.name };
}
