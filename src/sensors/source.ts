// What a sender's messages mean, by its source: which devices they are of, when they were sent, and what sensors' profiles get of them.
// Pure; interpret.ts goes on from there.
import { instantOfLocal } from '../common/datetime/time-zone.js';
import { quote } from '../common/validation/fault.js';
import { NUMBERS } from '../rules.js';
import { applies, type Rule } from './interpret.js';
import { readBattery, readPlainNumber } from './measured.js';
import { contentAt, contentOf, valueAt } from './path.js';
import { NO_SIGNAL, readDevice, readId, readRecord, readTime, YEAR_2000, type Uplink } from './uplink.js';

export const ENCODINGS = ['json', 'hex', 'base64'] as const;

/** Of one body, those of its channels counted. */
export const MAX_UPLINKS = 100;

interface FieldPath {
  readonly path: string;
}

/** Where things are in the messages of a sender. */
export interface SourceRules {
  readonly messages: FieldPath | null;
  readonly device: { readonly path?: string | undefined; readonly topic?: number | undefined } | null;
  readonly time: (FieldPath & { readonly time_zone: string }) | null;
  /** The first that is there; null for the message itself. */
  readonly payload: readonly (FieldPath & { readonly as: (typeof ENCODINGS)[number] })[] | null;
  readonly channels: readonly (FieldPath & { readonly name: string })[] | null;
  readonly battery_percent: FieldPath | null;
  readonly rssi_dbm: FieldPath | null;
  readonly snr_db: FieldPath | null;
  readonly ignore_when: readonly Rule[];
}

/** How a message came. */
export interface Arrival {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of MQTT. */
  readonly topic?: string | null;
  /** The device that its topic means where the source says nothing of the device. */
  readonly topicDevice?: string | undefined;
}

/** What a message gave: an uplink, nothing to look at, or something that nobody can use yet. */
export interface SourceReading extends Omit<Uplink, 'deviceId' | 'at'> {
  readonly outcome: 'uplink' | 'ignored' | 'malformed';
  /** The message alone; `isWhole`: all that was sent, since its messages were not found. */
  readonly message: unknown;
  readonly isWhole: boolean;
  readonly deviceId: string | null;
  readonly at: number | null;
  /** Where its time is from; null where none was looked for. */
  readonly time: 'message' | 'arrival' | null;
  /** Which path found what, in words. */
  readonly detail: string;
}

const NOTHING = {
  isWhole: false,
  deviceId: null,
  at: null,
  time: null,
  decoded: undefined,
  frameCounter: null,
  signal: NO_SIGNAL,
  battery: null,
} as const;

/** Every uplink of what was sent. */
export function readSource(rules: SourceRules, body: unknown, arrival: Arrival): SourceReading[] {
  const asks = confirmationIn(body);
  if (asks !== undefined) return [whole(body, asks)];
  if (rules.messages === null) return readMessage(rules, body, arrival);
  const { path } = rules.messages;
  const messages = path === '' ? contentOf(body, undefined) : contentAt(body, path);
  const place = path === '' ? 'what was sent' : path;
  if (!Array.isArray(messages))
    return [whole(body, `Messages: ${said(place, messages)}, which is no array.`)];
  const tooMany = whole(body, `Messages: ${place} gives more than ${MAX_UPLINKS} uplinks.`);
  if (messages.length > MAX_UPLINKS) return [tooMany];
  const readings = messages.flatMap((message) => readMessage(rules, message, arrival));
  return readings.length > MAX_UPLINKS ? [tooMany] : readings;
}

function whole(message: unknown, detail: string): SourceReading {
  return { ...NOTHING, outcome: 'malformed', message, isWhole: true, detail };
}

/** The uplinks of one message, one for each of its channels. */
function readMessage(rules: SourceRules, sent: unknown, arrival: Arrival): SourceReading[] {
  const message = contentOf(sent, undefined);
  const rule = rules.ignore_when.find((one) => applies(one, message));
  if (rule !== undefined) {
    const detail = `Ignored by a rule: ${said(rule.path, valueAt(message, rule.path))}.`;
    return [{ ...NOTHING, outcome: 'ignored', message: sent, detail }];
  }
  const device = deviceIn(rules, message, arrival);
  if (device.id === null) return [{ ...NOTHING, outcome: 'malformed', message: sent, detail: device.detail }];
  const { time, at, detail: ofTime } = timeIn(rules, message, arrival);
  const payload = payloadIn(rules, message);
  const known = {
    ...NOTHING,
    message: sent,
    deviceId: device.id,
    at,
    time,
    ...measuredBeside(rules, message),
  };
  const detail = `${device.detail} ${ofTime} ${payload.detail}`;
  if (payload.isBroken) return [{ ...known, outcome: 'malformed', detail }];
  if (rules.channels === null) return [{ ...known, outcome: 'uplink', decoded: payload.decoded, detail }];
  const parts = rules.channels.flatMap(({ name, path }): SourceReading[] => {
    const part = valueAt(payload.decoded, path) ?? null;
    if (part === null) return [];
    const deviceId = readId(`${device.id}#${name}`);
    const outcome = deviceId === null ? 'malformed' : 'uplink';
    const ofChannel = `${detail} Channel ${name}: ${said(path, part)}.`;
    const decoded = asObject(contentAt(payload.decoded, path));
    return [{ ...known, outcome, deviceId, decoded, detail: ofChannel }];
  });
  if (parts.length > 0) return parts;
  const paths = rules.channels.map(({ path }) => path).join(', ');
  return [{ ...known, outcome: 'malformed', detail: `${detail} Channels: there is nothing at ${paths}.` }];
}

function deviceIn(
  { device }: SourceRules,
  message: unknown,
  arrival: Arrival,
): { id: string | null; detail: string } {
  const { topic = null, topicDevice } = arrival;
  const levels = topic === null ? undefined : topic.split('/');
  const ofTopic = device === null ? topicDevice : levels?.[(device.topic ?? 0) - 1];
  const inTopic = readDevice(ofTopic);
  const topicSays = `its topic says ${ofTopic === undefined ? 'none' : quote(ofTopic)}`;
  if (device?.path === undefined) {
    if (inTopic !== null) return { id: inTopic, detail: `Device: ${topicSays}.` };
    const why = topic === null ? 'the source looks for it in an MQTT topic, and there is none' : topicSays;
    return { id: null, detail: device === null && topic === null ? NOWHERE : `No device: ${why}.` };
  }
  const found = valueAt(message, device.path);
  const inMessage = readDevice(Number.isSafeInteger(found) ? String(found) : found);
  const messageSays = said(device.path, found);
  if (inMessage === null) return { id: null, detail: `No device: ${messageSays}.` };
  const isAnother = device.topic !== undefined && levels !== undefined && inTopic !== inMessage;
  return isAnother
    ? { id: null, detail: `Two devices: ${messageSays}, ${topicSays}.` }
    : { id: inMessage, detail: `Device: ${messageSays}.` };
}

const NOWHERE = 'No device: the source does not say where it is.';

function timeIn(
  { time }: SourceRules,
  message: unknown,
  { at }: Arrival,
): { at: number; time: 'message' | 'arrival'; detail: string } {
  if (time === null) return { at, time: 'arrival', detail: 'Time: the moment of arrival.' };
  const found = valueAt(message, time.path);
  const sent = timeSaid(found, time.time_zone, at);
  const says = said(time.path, found);
  return sent === undefined || sent < YEAR_2000
    ? { at, time: 'arrival', detail: `Time: the moment of arrival, since ${says}.` }
    : { at: sent, time: 'message', detail: `Time: ${says}.` };
}

const LOCAL = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const MAX_TIME = 64;

/** A clock may be ahead of ours as far as an uplink may. */
function timeSaid(value: unknown, zone: string, arrivedAt: number): number | undefined {
  const text = typeof value === 'string' && value.length <= MAX_TIME ? value.replace(' ', 'T') : undefined;
  const at = readTime(text ?? (typeof value === 'number' ? value : undefined)) ?? undefined;
  if (at === undefined || text === undefined || !LOCAL.test(text)) return at;
  return instantOfLocal(zone, at, arrivedAt + NUMBERS.CLOCK_AHEAD * 1000);
}

interface FoundPayload {
  readonly decoded: object | undefined;
  readonly isBroken: boolean;
  readonly detail: string;
}

function payloadIn({ payload }: SourceRules, message: unknown): FoundPayload {
  if (payload === null)
    return { decoded: asObject(message), isBroken: false, detail: 'Payload: the message.' };
  for (const { path, as } of payload) {
    const found = valueAt(message, path) ?? null;
    if (found === null) continue;
    const says = said(path, found);
    if (as === 'json')
      return { decoded: asObject(contentAt(message, path)), isBroken: false, detail: `Payload: ${says}.` };
    const bytes = as === 'hex' ? hexIn(found) : base64In(found);
    if (bytes === undefined)
      return { decoded: undefined, isBroken: true, detail: `Payload: ${says}, which is no ${as}.` };
    return { decoded: { bytes }, isBroken: false, detail: `Payload: ${says}, ${as}.` };
  }
  const paths = payload.map(({ path }) => path).join(', ');
  return { decoded: undefined, isBroken: false, detail: `Payload: there is nothing at ${paths}.` };
}

/** What a profile can look into. */
function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : { value };
}

/** As lower-case hex without separators. */
function hexIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.replaceAll(/(^|[\s:-])0x/gi, '$1').replaceAll(/[\s:-]/g, '');
  return /^(?:[0-9a-f]{2})*$/i.test(digits) ? digits.toLowerCase() : undefined;
}

function base64In(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = value.replace(/={1,2}$/, '');
  const isBase64 = /^[\w+/-]*$/.test(digits) && digits.length % 4 !== 1;
  return isBase64 ? Buffer.from(digits, 'base64').toString('hex') : undefined;
}

/** What the sender itself says of battery and signal. */
function measuredBeside(rules: SourceRules, message: unknown): Pick<SourceReading, 'battery' | 'signal'> {
  const at = (place: FieldPath | null): unknown =>
    place === null ? undefined : valueAt(message, place.path);
  const rssi = readPlainNumber(at(rules.rssi_dbm)) ?? null;
  const snr = readPlainNumber(at(rules.snr_db)) ?? null;
  return { battery: readBattery(at(rules.battery_percent)), signal: { rssi, snr, gatewayId: null } };
}

/** What a path found. */
function said(path: string, value: unknown): string {
  if (value === undefined) return `there is nothing at ${path}`;
  const isObject = typeof value === 'object' && value !== null;
  return `${path} is ${isObject ? (Array.isArray(value) ? 'an array' : 'an object') : quote(value)}`;
}

/** Event Grid's code, when it asks whether this address wants its events. */
export function validationCodeIn(body: unknown): string | undefined {
  const event: unknown = Array.isArray(body) && body.length === 1 ? body[0] : undefined;
  const { eventType, data } = readRecord(event) ?? {};
  const code = readRecord(data)?.['validationCode'];
  const isAsked = eventType === 'Microsoft.EventGrid.SubscriptionValidationEvent';
  return isAsked && typeof code === 'string' ? code : undefined;
}

/** What AWS IoT wants somebody to do first. The service calls no address that a message names. */
function confirmationIn(body: unknown): string | undefined {
  const { messageType, enableUrl } = readRecord(body) ?? {};
  if (messageType !== 'DestinationConfirmation') return undefined;
  const url = typeof enableUrl === 'string' ? JSON.stringify(enableUrl.slice(0, 2_000)).slice(1, -1) : '';
  return `AWS IoT asks whether this address wants its messages. To confirm it, open its enableUrl in a browser: ${url}`;
}
