// What is wrong with what was entered: all of it at once, and in the words of the form.
import type { ProblemError, TankMonitoring } from 'tank-monitoring-client';
import { tanksWith } from '../api/sensors.js';
import { translated } from '../api/troubles.js';
import type { Fault, Faults, Fields, Texts } from './field.js';
import { FIELDS, type Values } from './fields.js';
import { findOwner } from './opened.js';
import { words } from '../words/words.js';

/** What is wrong with each field of which the service says something. */
export function faultsAt<Name extends string>(
  { errors }: ProblemError,
  fields: Fields<Name>,
  values: Texts<Name>,
): Faults<Name> {
  const faults: Faults<Name> = {};
  const names = Object.keys(fields) as Name[];
  for (const { pointer = '', detail } of errors) {
    const name = names.find((one) => (fields[one].pointer ?? `/${one}`) === pointer);
    if (name === undefined) continue;
    const [label = ''] = fields[name].label.split(',');
    const value = values[name];
    const told = detail.startsWith('unknown ')
      ? words.form.unknownOwner(value)
      : inFormWords(pointer, label, detail);
    faults[name] = { detail: value === '' ? words.form.isMissing(label) : told };
  }
  return faults;
}

/** "min_fill_alert_percentage must be from 0 to 100: 200" becomes "Alert level must be from 0 to 100". */
export function inFormWords(pointer: string, label: string, detail: string): string {
  const [said = '', ...why] = detail.split(': ');
  // Of an address the reason is all that matters.
  const meant = said.endsWith('is not allowed') ? why.join(': ') : said;
  return translated(meant).replace(pointer.slice(1).replaceAll('/', '.'), label);
}

interface Entry {
  readonly client: TankMonitoring;
  readonly id: string;
  readonly entered: Values;
  readonly before: Values | undefined;
}

export async function faultsOfTank(problem: ProblemError, entry: Entry): Promise<Faults> {
  if (problem.code === 'device_taken') {
    return { assigned_device_id: takenBy(problem.problem['tank_id'] as string | undefined) };
  }
  const faults = faultsAt(problem, FIELDS, entry.entered);
  if (Object.keys(faults).length === 0) return faults;
  return { ...(await furtherFaults(entry, faults).catch(() => ({}))), ...faults };
}

/** The service asks for owner and device once all else is right: here they are looked at now. */
async function furtherFaults({ client, id, entered, before }: Entry, known: Faults): Promise<Faults> {
  const { owner_id: owner, assigned_device_id: device } = entered;
  const faults: Faults = {};
  if (known.owner_id === undefined && owner !== '' && owner !== before?.owner_id) {
    const found = await findOwner(client, owner);
    if (found === undefined || 'deleted' in found) faults.owner_id = unknownOwner(owner);
  }
  if (device !== '' && device !== before?.assigned_device_id) {
    const holder = (await tanksWith(client, device)).find(({ tank_id }) => tank_id !== id);
    if (holder !== undefined) faults.assigned_device_id = takenBy(holder.tank_id);
  }
  return faults;
}

function takenBy(holder: string | undefined): Fault {
  return { detail: words.form.deviceTaken, holder };
}

function unknownOwner(given: string): Fault {
  return { detail: words.form.unknownOwner(given) };
}
