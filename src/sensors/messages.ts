// The messages of network servers, as they post them in JSON: ChirpStack 4, whose kind stands in the address (?event=), and The Things
// Stack 3, whose kind is the name of the field that holds the content; and of any other sender: a device and its decoded payload.
import type { JsonRecord } from '../common/bodies/record.js';
import { readBattery } from './measured.js';
import {
  bestSignal,
  readCounter,
  readDevice,
  readInstantOrNull,
  isEmpty,
  finiteNumber,
  readRecord,
  readTime,
  checkUplink,
} from './uplink.js';
import type { Message } from './uplink.js';

const CHIRPSTACK_PLACES = { device: 'deviceInfo.devEui', time: 'time' };

export function readChirpStack(body: JsonRecord, event: string): Message {
  const deviceId = readDevice(readRecord(body['deviceInfo'])?.['devEui']);
  const at = readInstantOrNull(body['time']);
  if (event !== 'up') {
    return { ignored: event, deviceId, at, battery: event === 'status' ? readBatteryStatus(body) : null };
  }
  const decoded = readRecord(body['object']);
  const frameCounter = readCounter(body['fCnt']);
  const signal = bestSignal(body['rxInfo'], (entry) => entry['gatewayId']);
  const isIgnored = isEmpty(body['data'], decoded) && 'empty';
  return checkUplink({ deviceId, at, decoded, frameCounter, signal }, CHIRPSTACK_PLACES, isIgnored);
}

function readBatteryStatus(status: JsonRecord): number | null {
  const isUnknown = status['externalPowerSource'] === true || status['batteryLevelUnavailable'] === true;
  const level = status['batteryLevel'];
  return isUnknown || typeof level !== 'number' ? null : readBattery(level);
}

const TTS_PLACES = {
  device: 'end_device_ids.dev_eui or .device_id',
  time: 'uplink_message.received_at or received_at',
};

const OTHER_KINDS = [
  'uplink_normalized',
  'join_accept',
  'downlink_ack',
  'downlink_nack',
  'downlink_sent',
  'downlink_failed',
  'downlink_queued',
  'downlink_queue_invalidated',
  'location_solved',
  'service_data',
] as const;

/** Every message about a device has them, so what has none came here by mistake, and its sender has to hear of it. */
const NOT_OURS = {
  malformed: 'This is no message of The Things Stack: end_device_ids is missing.',
};

export function readTts(body: JsonRecord): Message {
  const ids = readRecord(body['end_device_ids']);
  if (ids === undefined) return NOT_OURS;
  const deviceId = readDevice(ids['dev_eui']) ?? readDevice(ids['device_id']);
  const uplink = readRecord(body['uplink_message']);
  const at = readInstantOrNull(uplink?.['received_at']) ?? readInstantOrNull(body['received_at']);
  if (uplink === undefined) {
    const kind = OTHER_KINDS.find((name) => readRecord(body[name]) !== undefined) ?? 'other';
    return { ignored: kind, deviceId, at, battery: null };
  }
  const decoded = readRecord(uplink['decoded_payload']);
  const frameCounter = readCounter(uplink['f_cnt']);
  const signal = bestSignal(
    uplink['rx_metadata'],
    (entry) => readRecord(entry['gateway_ids'])?.['gateway_id'],
  );
  const ignored =
    (body['simulated'] === true && 'simulated') || (isEmpty(uplink['frm_payload'], decoded) && 'empty');
  return checkUplink({ deviceId, at, decoded, frameCounter, signal }, TTS_PLACES, ignored);
}

/** `arrivedAt` is its time when it has none. */
export function readGenericMessage(body: unknown, arrivedAt: Date): Message {
  const { device_id: device, payload, time, ...said } = readRecord(body) ?? {};
  const deviceId = readDevice(device);
  if (deviceId === null) return { malformed: 'device_id must be a string of 1 to 255 characters.' };
  const decoded = readRecord(payload);
  if (decoded === undefined) return { malformed: 'payload must be a JSON object.' };
  const at = (time ?? null) === null ? arrivedAt.getTime() : readTime(time);
  if (at === null) return { malformed: 'time must be an RFC 3339 datetime, or a Unix time from 2000 on.' };
  const signal = { rssi: finiteNumber(said['rssi_dbm']), snr: finiteNumber(said['snr_db']), gatewayId: null };
  const battery = readBattery(finiteNumber(said['battery_percent']));
  return { deviceId, at, decoded, frameCounter: null, signal, battery };
}
