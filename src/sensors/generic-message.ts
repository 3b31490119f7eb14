// A message of any sender that is no network server of its own kind: a device, its decoded payload, and what else is known.
import { readBattery } from './measured.js';
import { deviceOf, numberOf, recordOf, timeOf, type Message } from './uplink.js';

/** `arrivedAt` is its time when it has none. */
export function readGenericMessage(body: unknown, arrivedAt: Date): Message {
  const { device_id: device, payload, time, ...said } = recordOf(body) ?? {};
  const deviceId = deviceOf(device);
  if (deviceId === null) return { malformed: 'device_id must be a string of 1 to 255 characters.' };
  const decoded = recordOf(payload);
  if (decoded === undefined) return { malformed: 'payload must be a JSON object.' };
  const at = (time ?? null) === null ? arrivedAt.getTime() : timeOf(time);
  if (at === null) return { malformed: 'time must be an RFC 3339 datetime, or a Unix time from 2000 on.' };
  const signal = { rssi: numberOf(said['rssi_dbm']), snr: numberOf(said['snr_db']), gatewayId: null };
  const battery = readBattery(numberOf(said['battery_percent']));
  return { deviceId, at, decoded, frameCounter: null, signal, battery };
}
