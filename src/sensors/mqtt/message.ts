// A message of MQTT as the one that would have been posted: what its topic says is written into it.
import { isRecord, type JsonRecord } from '../../common/bodies/record.js';
import { parseJson } from '../../common/bodies/parse-json.js';
import { badRequest } from '../../common/problems/problem.js';
import type { MqttTopic } from '../../platform/config/mqtt-settings.js';
import { readWritten } from '../measured.js';
import { MAX_MESSAGE_BYTES, MESSAGE_TOO_LARGE } from '../message-body.js';
import { MESSAGE_BOUNDS, valueAt } from '../path.js';
import { readDevice, isSender, readRecord, type Sender } from '../uplink.js';
import { firstWildLevel, wildLevelAfter } from './topics.js';

export interface Posted {
  readonly body: string;
  readonly event: string;
}

type Entry = MqttTopic & { readonly source: Sender };

/** Where each sender's message names its device, and after which level of a topic that is; by default the first that is open. */
const NAMED = {
  chirpstack: { path: 'deviceInfo.devEui', after: 'device' },
  tts: { path: 'end_device_ids.device_id', after: 'devices' },
  generic: { path: 'device_id', after: undefined },
} as const satisfies Record<Sender, object>;

/** Throws a Problem when it can never become a reading. */
export function postedAs(entry: Entry, topic: string, payload: Buffer): Posted {
  if (payload.length > MAX_MESSAGE_BYTES) throw MESSAGE_TOO_LARGE;
  const text = payload.toString('utf8');
  const message = parseJson(text, ...MESSAGE_BOUNDS);
  const topicDevice = deviceInTopic(entry, topic);
  const named = readDevice(valueAt(message, NAMED[entry.source].path));
  // Brokers allow by topic: nobody writes another's tank from a topic of his own.
  const isAnother = topicDevice !== undefined && named !== null && named !== readDevice(topicDevice);
  if (isAnother) throw badRequest('malformed_body', 'The message names another device than its topic.');
  if (entry.source === 'generic') return { body: genericBody(text, message, topicDevice), event: 'up' };
  return { body: text, event: topic.slice(topic.lastIndexOf('/') + 1) || 'up' };
}

function deviceInTopic({ source, filter }: MqttTopic, topic: string): string | undefined {
  const after = isSender(source) ? NAMED[source].after : undefined;
  return after === undefined ? firstWildLevel(filter, topic) : wildLevelAfter(after, filter, topic);
}

/** Devices that speak to no network server send what they measured, and say in the topic who they are. */
function genericBody(text: string, message: unknown, topicDevice: string | undefined): string {
  const fields = typeof message === 'number' ? { payload: { value: message } } : message;
  if (!isRecord(fields)) throw badRequest('malformed_body', 'The message must be a JSON object or a number.');
  const isComplete = readDevice(fields['device_id']) !== null && isRecord(fields['payload']);
  return isComplete ? text : JSON.stringify(completed(fields, topicDevice));
}

function completed(fields: JsonRecord, topicDevice: string | undefined): object {
  const { device_id: device, payload, time, battery_percent, rssi_dbm, snr_db } = fields;
  return {
    device_id: readDevice(device) === null ? topicDevice : device,
    time,
    battery_percent,
    rssi_dbm,
    snr_db,
    payload: readRecord(payload) ?? fields,
  };
}

/** What devices publish about themselves. */
const NO_MEASUREMENT = /^(?:unavailable|unknown|online|offline|)$/i;

/** What came by a source, as JSON: a number with a unit is a text. Null for what is no measurement, undefined for what cannot be read. */
export function readJson(payload: Buffer): string | null | undefined {
  if (payload.length > MAX_MESSAGE_BYTES) throw MESSAGE_TOO_LARGE;
  const text = payload.toString('utf8').trim();
  if (NO_MEASUREMENT.test(text)) return null;
  if (readWritten(text) !== undefined && !/^[\d.eE+-]+$/.test(text)) return JSON.stringify(text);
  try {
    parseJson(text, ...MESSAGE_BOUNDS);
    return text;
  } catch {
    return undefined;
  }
}

/** Whom a message that is none is about, as far as its topic or itself says so; '' when they do not. */
export function deviceToKeep(entry: MqttTopic, topic: string, payload: Buffer): string {
  const ofTopic = readDevice(deviceInTopic(entry, topic));
  if (ofTopic !== null || !isSender(entry.source) || payload.length > MAX_MESSAGE_BYTES) return ofTopic ?? '';
  try {
    const message = parseJson(payload.toString('utf8'), ...MESSAGE_BOUNDS);
    return readDevice(valueAt(message, NAMED[entry.source].path)) ?? '';
  } catch {
    return '';
  }
}

/** What is kept of one that is none: its beginning, as text that PostgreSQL takes. */
export function keptText(payload: Buffer): string {
  const text = payload.toString('utf8', 0, MAX_MESSAGE_BYTES).replaceAll('\0', '\uFFFD');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_MESSAGE_BYTES));
  return JSON.stringify({ text: text.slice(0, read) });
}
