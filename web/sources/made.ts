// What clicking a value makes of a source or a profile. Both are JSON in their form, so that whoever knows the API can write the rest.
import type {
  LevelUnit,
  SensorProfile,
  SensorProfileInput,
  Source,
  SourceInput,
} from 'tank-monitoring-client';
import { isObject, jsonIn, nodeAt, type Node } from './tree.js';

export const ROLES = {
  source: ['device', 'time', 'payload', 'messages', 'channels', 'battery_percent'],
  profile: ['level', 'battery', 'temperature'],
} as const;
export type Kind = keyof typeof ROLES;
export type Role = (typeof ROLES)[Kind][number];
/** What is made, as far as it is. */
export type Made = Partial<SourceInput & SensorProfileInput>;

/** Where the payload is that a profile gets of those who are no sources. */
export const SENDERS: Readonly<Record<string, SourceInput>> = {
  chirpstack: sender('deviceInfo.devEui', 'object'),
  tts: sender('end_device_ids.dev_eui', 'uplink_message.decoded_payload'),
  generic: sender('device_id', 'payload'),
};

function sender(device: string, payload: string): SourceInput {
  return { name: '-', device: { path: device }, payload: [{ path: payload, as: 'json' }] };
}

/** All but its name and what is not sent. */
export function rulesOf(stored: Source | SensorProfile | undefined): string {
  const kept = Object.entries(stored ?? {}).filter(
    ([name, value]) => !/^(?:id|object|name|built_in|\w+_at)$/.test(name) && value !== null,
  );
  return JSON.stringify(Object.fromEntries(kept), null, 2);
}

export function idOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/[^\w.\s-]/g, '');
  return plain.trim().slice(0, 64).toLowerCase().replaceAll(/\s+/g, '-');
}

/** A level of the topic has a path that no value has. */
export const TOPIC_LEVEL = '.';

/** A value that is chosen again is so no more. */
export function withRole(
  made: Made,
  role: Role,
  node: Node,
  isBytes: boolean,
  beside: readonly Node[],
): Made {
  const { path, value } = node;
  const isChosen = roleAt(made, path, isBytes) === role;
  if (path.startsWith(TOPIC_LEVEL)) {
    const topic = isChosen ? undefined : Number(path.slice(TOPIC_LEVEL.length));
    return { ...made, device: { ...made.device, topic } };
  }
  if (role === 'channels') {
    const channels = (made.channels ?? []).filter((one) => one.path !== inPayload(made, path));
    if (!isChosen) channels.push({ name: String(channels.length + 1), path: inPayload(made, path) });
    return { ...made, channels: channels.length === 0 ? undefined : channels };
  }
  if (isChosen && !isBytes) return { ...made, [role]: undefined };
  if (role === 'payload') return { ...made, payload: [{ path, as: encodingOf(value) }] };
  if (role === 'time') return { ...made, time: { path, ...(isLocal(value) && { time_zone: TIME_ZONE }) } };
  const { path: _, bytes, ...before } = { path, bytes: undefined, ...made[role] };
  const place = isBytes ? { bytes: { ...bytes, ...spanTo(Number(path), bytes) } } : { path };
  const unit = role === 'level' ? unitOf(node, beside) : undefined;
  return { ...made, [role]: { ...before, ...(unit && { unit }), ...place } };
}

const UNITS: Readonly<Record<string, LevelUnit>> = {
  '%': 'percent',
  percent: 'percent',
  pct: 'percent',
  mm: 'mm',
  cm: 'cm',
  m: 'm',
  in: 'in',
  ft: 'ft',
};
const unitIn = (text: unknown): LevelUnit | undefined => UNITS[String(text).trim().toLowerCase()];

/** Behind the number ("84,5 cm"), beside it ("unit": "cm") or at the end of its name ("level_cm"); undefined: it has to be asked for. */
function unitOf({ name, value }: Node, beside: readonly Node[]): LevelUnit | undefined {
  const names = new Set(['unit', 'units', ...['_unit', 'unit'].map((end) => name.toLowerCase() + end)]);
  const said = beside.find((one) => names.has(one.name.toLowerCase()))?.value;
  const last = name.split(/[^A-Za-z%]|(?=[A-Z])/).at(-1) ?? '';
  return writtenIn(value)?.unit ?? unitIn(said) ?? (/^(?:in|m)$/i.test(last) ? undefined : unitIn(last));
}

/** As the service reads it: a number, or a text of one with a unit behind it. */
export function writtenIn(value: unknown): { number: number; unit: LevelUnit | undefined } | undefined {
  if (typeof value === 'number') return { number: value, unit: undefined };
  const [, written = '', behind = ''] = /^(-?\d+(?:[.,]\d+)?)([^\d.,]*)$/.exec(String(value)) ?? [];
  return written === '' ? undefined : { number: Number(written.replace(',', '.')), unit: unitIn(behind) };
}

/** What stands at the place of a level or battery. */
export function valueOf(
  place: { readonly path?: string | undefined; readonly bytes?: Bytes | undefined } | null | undefined,
  nodes: readonly Node[],
  hex: string | undefined,
): unknown {
  if (place?.bytes !== undefined) return numberIn(hex ?? '', place.bytes);
  const { path = '' } = place ?? {};
  return path === ''
    ? undefined
    : nodes.map((one) => nodeAt(one, path)).find((one) => one !== undefined)?.value;
}

/** Of the battery, as the service works it out; undefined where it would be none. */
export function batteryPercent({ battery }: Made, number: number): number | undefined {
  const { factor = 1, offset = 0, empty, full } = battery ?? {};
  const value = number * factor + offset;
  if (empty === undefined || full === undefined) return value >= 0 && value <= 100 ? value : undefined;
  return empty === full ? undefined : Math.min(Math.max(((value - empty) / (full - empty)) * 100, 0), 100);
}

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const isLocal = (value: unknown): boolean => /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(String(value));

function encodingOf(value: unknown): 'json' | 'hex' | 'base64' {
  if (typeof value !== 'string' || isObject(jsonIn(value))) return 'json';
  return /^(?:0x)?(?:[0-9a-f]{2}[\s:-]?)+$/i.test(value) ? 'hex' : 'base64';
}

type Bytes = NonNullable<SensorProfileInput['level']['bytes']>;

/** The first byte that is clicked, and with the next one all between them. */
function spanTo(clicked: number, before: Bytes | undefined): Pick<Bytes, 'offset' | 'length'> {
  const { offset = 0, length = 0 } = before ?? {};
  const isNext = length === 1 && clicked > offset && clicked < offset + 4;
  return isNext ? { offset, length: clicked - offset + 1 } : { offset: clicked, length: 1 };
}

/** Paths of channels begin at the payload. */
function inPayload({ payload }: Made, path: string): string {
  const start = payload?.[0]?.path;
  return start !== undefined && path.startsWith(start) ? path.slice(start.length).replace(/^\./, '') : path;
}

export function roleAt(made: Made, path: string, isBytes: boolean): Role | undefined {
  if (path === `${TOPIC_LEVEL}${made.device?.topic}`) return 'device';
  return [...ROLES.source, ...ROLES.profile].find((role) => {
    if (role === 'channels') return made.channels?.some((one) => one.path === inPayload(made, path));
    const place: { path?: string | undefined; bytes?: Bytes | undefined } | null | undefined =
      role === 'payload' ? made.payload?.[0] : made[role];
    const { offset, length } = place?.bytes ?? { offset: 0, length: 0 };
    return isBytes ? Number(path) >= offset && Number(path) < offset + length : place?.path === path;
  });
}

/** Undefined beyond the end. */
export function numberIn(hex: string, { offset, length, order, signed }: Bytes): number | undefined {
  const bytes = (hex.match(/../g) ?? []).slice(offset, offset + length);
  if (bytes.length < length) return undefined;
  const number = Number.parseInt((order === 'little' ? bytes.toReversed() : bytes).join(''), 16);
  return signed === true && number >= 2 ** (8 * length - 1) ? number - 2 ** (8 * length) : number;
}
