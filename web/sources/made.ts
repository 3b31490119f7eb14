// What clicking a value makes of a source or a profile. Both are JSON in their form, so that whoever knows the API can write the rest.
import type { SensorProfile, SensorProfileInput, Source, SourceInput } from 'tank-monitoring-client';
import { isObject, jsonIn, type Node } from './tree.js';

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
export function withRole(made: Made, role: Role, { path, value }: Node, isBytes: boolean): Made {
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
  const { path: _, bytes, ...beside } = { path, bytes: undefined, ...made[role] };
  const place = isBytes ? { bytes: { ...bytes, ...spanTo(Number(path), bytes) } } : { path };
  return { ...made, [role]: { ...(role === 'level' && { unit: 'mm' }), ...beside, ...place } };
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
