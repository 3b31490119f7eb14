// The messages of ChirpStack 4, as its HTTP integration posts them in JSON: the kind stands in the address (?event=).
import type { JsonRecord } from '../bodies/record.js';
import { readBattery } from './measured.js';
import {
  bestSignal,
  counterOf,
  deviceOf,
  instantOf,
  isEmpty,
  recordOf,
  uplinkOf,
  type Message,
} from './uplink.js';

const PLACES = { device: 'deviceInfo.devEui', time: 'time' };

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
  return uplinkOf({ deviceId, at, decoded, frameCounter, signal }, PLACES, isIgnored);
}

function batteryOf(status: JsonRecord): number | null {
  const isUnknown = status['externalPowerSource'] === true || status['batteryLevelUnavailable'] === true;
  const level = status['batteryLevel'];
  return isUnknown || typeof level !== 'number' ? null : readBattery(level);
}
