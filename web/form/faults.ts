// What is wrong with what was entered: all of it at once, and in the words of the form.
import { ProblemError, type TankMonitoring } from 'tank-monitoring-client';
import { tanksWith } from '../api/sensors.js';
import type { Fault, Faults, Filled } from './field.js';
import { fieldAt, LABELS, type FieldName, type Values } from './fields.js';
import { findOwner } from './opened.js';

interface Entry {
  readonly id: string;
  readonly entered: Values;
  readonly before: Values | undefined;
}

export async function faultsIn(client: TankMonitoring, problem: ProblemError, entry: Entry): Promise<Faults> {
  if (problem.code === 'device_taken') {
    return { assigned_device_id: takenBy(problem.problem['tank_id'] as string | undefined) };
  }
  const faults: Faults = {};
  for (const { pointer, detail } of problem.errors) {
    const name = fieldAt(pointer);
    if (name !== undefined) faults[name] = { detail: inWordsOfTank(name, detail, entry.entered[name]) };
  }
  // The service asks for owner and device once all else is right: here they are looked at now.
  const known = new Set(Object.keys(faults));
  if (known.size === 0) return faults;
  return { ...(await furtherFaults(client, entry, known).catch(() => ({}))), ...faults };
}

async function furtherFaults(
  client: TankMonitoring,
  { id, entered, before }: Entry,
  known: ReadonlySet<string>,
): Promise<Faults> {
  const { owner_id: owner, assigned_device_id: device } = entered;
  const faults: Faults = {};
  if (!known.has('owner_id') && owner !== '' && owner !== before?.owner_id) {
    const found = await findOwner(client, owner);
    if (found === undefined || 'deleted' in found) faults.owner_id = { detail: unknownOwner(owner) };
  }
  if (device !== '' && device !== before?.assigned_device_id) {
    const holder = (await tanksWith(client, device)).find(({ tank_id }) => tank_id !== id);
    if (holder !== undefined) faults.assigned_device_id = takenBy(holder.tank_id);
  }
  return faults;
}

function takenBy(holder: string | undefined): Fault {
  return { detail: 'Another tank has this device.', holder };
}

const unknownOwner = (given: string): string =>
  `There is no customer “${given}”. Choose one of those that are found as you type.`;

/** "min_fill_alert_percentage must be from 0 to 100: 200" becomes "Alert level must be from 0 to 100". */
export function inFormWords(pointer: string, label: string, detail: string): string {
  const [said = ''] = detail.split(': ');
  return said.replace(pointer.slice(1).replaceAll('/', '.'), label);
}

function inWords(pointer: string, label: string, detail: string, given: string): string {
  return given === '' ? `${label} is missing` : inFormWords(pointer, label, detail);
}

function inWordsOfTank(name: FieldName, detail: string, given: string): string {
  const [label = ''] = LABELS[name].split(',');
  if (detail.startsWith('unknown owner') && given !== '') return unknownOwner(given);
  return inWords(`/${name}`, label, detail, given);
}

/** For a form each of whose fields is one of the body's, at the pointer `/` and its name, unless told otherwise. */
export function faultsAt<Name extends string>(
  trouble: unknown,
  { labels, values }: Pick<Filled<Name>, 'labels' | 'values'>,
  pointerOf = (name: string): string => `/${name}`,
): Faults<Name> {
  const faults: Faults<Name> = {};
  if (!(trouble instanceof ProblemError)) return faults;
  const names = Object.keys(labels) as Name[];
  for (const { pointer = '', detail } of trouble.errors) {
    const name = names.find((one) => pointerOf(one) === pointer);
    if (name !== undefined) faults[name] = { detail: inWords(pointer, labels[name], detail, values[name]) };
  }
  return faults;
}
