// Sensors and waiting uplinks in words.
import type { LastUplink, LevelUnit, Sensor, SensorProfile } from 'tank-monitoring-client';
import type { Retried } from '../api/sensors.js';
import { LOCALE } from '../format.js';
import { words } from '../words/words.js';

const figures = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });

export function measured(value: number, unit: LevelUnit): string {
  return unit === 'raw' ? figures.format(value) : `${figures.format(value)} ${words.sensor.units[unit]}`;
}

/** A path, or the places of bytes: `bytes[2…3]`. */
function placeInWords({ path, bytes }: Pick<SensorProfile['level'], 'path' | 'bytes'>): string {
  if (bytes === undefined) return path ?? '';
  return `bytes[${bytes.offset}…${bytes.offset + bytes.length - 1}]`;
}

/** What sent an uplink: a source is called by its id. */
export function senderInWords(source: string): string {
  return (words.uplink.sources as Readonly<Record<string, string>>)[source] ?? source;
}

/** What a profile reads besides the level, and what it does not use. */
export function profileInWords({ level, battery, temperature, ...others }: SensorProfile): string {
  const isScaled = level.factor !== undefined || level.offset !== undefined;
  const by = ` × ${figures.format(level.factor ?? 1)} + ${figures.format(level.offset ?? 0)}`;
  const parts = [
    words.sensor.readsLevel(`${placeInWords(level)}${isScaled ? by : ''}`, words.sensor.units[level.unit]),
    battery === null ? '' : words.sensor.readsBattery(placeInWords(battery)),
    temperature === null ? '' : words.sensor.readsTemperature(placeInWords(temperature)),
    others.history === undefined ? '' : words.sensor.readsHistory(others.history.path),
    others.reject_when.length === 0 ? '' : words.sensor.rejects(others.reject_when.length),
    others.ignore_when === undefined ? '' : words.sensor.ignores(others.ignore_when.length),
  ];
  return words.sensor.reads(parts.filter((part) => part !== '').join(', '));
}

export function celsius(value: number): string {
  return `${figures.format(value)} °C`;
}

export function calibrationInWords(calibration: Sensor['calibration']): string {
  if (calibration === null) return words.none;
  const { unit } = calibration;
  if ('table' in calibration) return words.sensor.tableOf(calibration.table.length);
  const { empty, full, shape } = calibration;
  return words.sensor.emptyFull(measured(empty, unit), measured(full, unit), words.sensor.shapes[shape]);
}

/** As the API's `weak_signal` has it. */
export function signalWord({ rssi_dbm: rssi, snr_db: snr }: LastUplink): string | undefined {
  if (rssi === null && snr === null) return undefined;
  if ((rssi ?? 0) < -115 || (snr ?? 0) < -10) return words.sensor.signals.weak;
  return (rssi ?? 0) >= -105 && (snr ?? 0) >= 0 ? words.sensor.signals.good : words.sensor.signals.fair;
}

export function signalFigures({ rssi_dbm: rssi, snr_db: snr, gateway_id: gateway }: LastUplink): string {
  const parts = [
    rssi === null ? '' : `${figures.format(rssi)} dBm`,
    snr === null ? '' : `SNR ${figures.format(snr)} dB`,
    gateway === null ? '' : words.sensor.gateway(gateway),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export function retriedInWords({ stored, unchanged, quarantined }: Retried): string {
  const waiting = quarantined === 0 ? '' : words.uplink.stillWait(quarantined);
  return `${words.uplink.became(stored + unchanged)}${waiting}.`;
}
