// What the messages of network servers and other senders have in common. They come from outside: a field of a wrong type is as if it were absent.
import { isRecord, type JsonRecord } from '../common/bodies/record.js';
import { LAST_INSTANT } from '../common/datetime/datetime.js';
import { ID, readInstant, textFault } from '../common/validation/values.js';
import { deviceKey } from '../tanks/device-key.js';
import { readPlainNumber } from './measured.js';

/** Those with an address and a reader of their own; all others have a source. */
export const SENDERS = ['chirpstack', 'tts', 'generic'] as const;
export type Sender = (typeof SENDERS)[number];

export function isSender(source: string): source is Sender {
  return SENDERS.some((sender) => sender === source);
}

export interface Uplink {
  /** An EUI in upper case without separators. */
  readonly deviceId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** An object or array; undefined where the network server has no decoder. */
  readonly decoded: object | undefined;
  /** Null where senders have none. */
  readonly frameCounter: number | null;
  readonly signal: Signal;
  /** In percent, as the sender itself says it; counts before what was decoded. */
  readonly battery?: number | null;
  /** Nobody can use it as it is. */
  readonly isMalformed?: boolean;
  /** Its time is that of its arrival, which others have, too: each is kept. */
  readonly isOfArrival?: boolean;
}

/** Of the gateway that received it best. */
export interface Signal {
  readonly rssi: number | null;
  readonly snr: number | null;
  readonly gatewayId: string | null;
}

export const NO_SIGNAL: Signal = { rssi: null, snr: null, gatewayId: null };

/** A message that holds no reading. */
export interface Ignored {
  readonly ignored: string;
  readonly deviceId: string | null;
  readonly at: number | null;
  /** What a status message says about the battery. */
  readonly battery: number | null;
}

/** What is wrong with a message that is none. */
export interface Malformed {
  readonly malformed: string;
}

export type Message = Uplink | Ignored | Malformed;

/** Null also for text that cannot be an id: too long, or with characters that cannot be stored. */
export function readId(value: unknown): string | null {
  return typeof value === 'string' && textFault(value, ID) === undefined ? value : null;
}

export function readDevice(value: unknown): string | null {
  const id = readId(value);
  return id === null ? null : deviceKey(id);
}

/** Nine decimals are cut to milliseconds. */
export function readInstantOrNull(value: unknown): number | null {
  return readInstant(value) ?? null;
}

export const YEAR_2000 = Date.UTC(2000);

/** From here on a Unix time is milliseconds: as seconds it would be after the year 5000. */
const FIRST_MILLISECONDS = 1e11;

/** About what a Unix time with decimals is off by, in milliseconds, because it is binary. */
const BINARY_ERROR = 0.0005;

/** An RFC 3339 instant, or a Unix time as a number or a string of one; before 2000 it is of a clock that was never set. */
export function readTime(value: unknown): number | null {
  const unix = readPlainNumber(value);
  if (unix === undefined) return readInstantOrNull(value);
  const at = Math.floor((unix < FIRST_MILLISECONDS ? unix * 1000 : unix) + BINARY_ERROR);
  return at >= YEAR_2000 && at <= LAST_INSTANT ? at : null;
}

export function readRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

export function finiteNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Senders leave out what is 0. */
export function readCounter(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** `gatewayIdOf` finds the gateway's id in an entry. */
export function bestSignal(received: unknown, gatewayIdOf: (entry: JsonRecord) => unknown): Signal {
  const entries = Array.isArray(received) ? received.filter(isRecord) : [];
  let best: JsonRecord | undefined;
  for (const entry of entries) if (best === undefined || readRssi(entry) > readRssi(best)) best = entry;
  if (best === undefined) return NO_SIGNAL;
  return {
    rssi: finiteNumber(best['rssi']),
    snr: finiteNumber(best['snr']) ?? 0,
    gatewayId: readId(gatewayIdOf(best)),
  };
}

function readRssi(entry: JsonRecord): number {
  return finiteNumber(entry['rssi']) ?? -Infinity;
}

/** Some servers send an object without fields where nothing was decoded. */
export function isEmpty(bytes: unknown, decoded: JsonRecord | undefined): boolean {
  const hasBytes = typeof bytes === 'string' && bytes !== '';
  return !hasBytes && Object.keys(decoded ?? {}).length === 0;
}

/** Returns a usable uplink, an ignored one, or why it is malformed. */
export function checkUplink(
  given: Omit<Uplink, 'deviceId' | 'at'> & { readonly deviceId: string | null; readonly at: number | null },
  names: { readonly device: string; readonly time: string },
  ignored: string | false,
): Message {
  const { deviceId, at } = given;
  if (deviceId === null) return { malformed: `The uplink names no device; it belongs into ${names.device}.` };
  if (at === null) return { malformed: `The uplink has no time; it belongs into ${names.time}.` };
  return ignored === false ? { ...given, deviceId, at } : { ignored, deviceId, at, battery: null };
}
