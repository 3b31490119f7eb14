// The messages of network servers, as they post them in JSON: ChirpStack 4, whose kind stands in the address (?event=), and The Things
// Stack 3, whose kind is the name of the field that holds the content.
import type { JsonRecord } from '../common/bodies/record.js';
import { readBattery } from './measured.js';
import { bestSignal, counterOf, deviceOf, instantOf, isEmpty, recordOf, uplinkOf } from './uplink.js';
import type { Message } from './uplink.js';

const CHIRPSTACK_PLACES = { device: 'deviceInfo.devEui', time: 'time' };

export function readChirpStack(body: JsonRecord, event: string): Message {
  const deviceId = deviceOf(recordOf(body['deviceInfo'])?.['devEui']);
  const at = instantOf(body['time']);
  if (event !== 'up') {
    return { ignored: event, deviceId, at, battery: event === 'status' ? batteryOf(body) : null };
  }
  const decoded = recordOf(body['object']);
  const frameCounter = counterOf(body['fCnt']);
  const signal = bestSignal(body['rxInfo'], (entry) => entry['gatewayId']);
  const isIgnored = isEmpty(body['data'], decoded) && 'empty';
  return uplinkOf({ deviceId, at, decoded, frameCounter, signal }, CHIRPSTACK_PLACES, isIgnored);
}

function batteryOf(status: JsonRecord): number | null {
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
  const ids = recordOf(body['end_device_ids']);
  if (ids === undefined) return NOT_OURS;
  const deviceId = deviceOf(ids['dev_eui']) ?? deviceOf(ids['device_id']);
  const uplink = recordOf(body['uplink_message']);
  const at = instantOf(uplink?.['received_at']) ?? instantOf(body['received_at']);
  if (uplink === undefined) {
    const kind = OTHER_KINDS.find((name) => recordOf(body[name]) !== undefined) ?? 'other';
    return { ignored: kind, deviceId, at, battery: null };
  }
  const decoded = recordOf(uplink['decoded_payload']);
  const frameCounter = counterOf(uplink['f_cnt']);
  const signal = bestSignal(uplink['rx_metadata'], (entry) => recordOf(entry['gateway_ids'])?.['gateway_id']);
  const ignored =
    (body['simulated'] === true && 'simulated') || (isEmpty(uplink['frm_payload'], decoded) && 'empty');
  return uplinkOf({ deviceId, at, decoded, frameCounter, signal }, TTS_PLACES, ignored);
}
