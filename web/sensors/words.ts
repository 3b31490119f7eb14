// Sensors and waiting uplinks in words.
import type {
  LastUplink,
  LevelUnit,
  QuarantineReason,
  Sensor,
  SensorProfile,
  TankShape,
  UplinkSource,
} from 'tank-monitoring-client';
import type { Retried } from '../api/sensors.js';
import { count, counted, LOCALE } from '../words.js';

const figures = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });

export const SHAPE_NAMES: Readonly<Record<TankShape, string>> = {
  upright: 'Upright: straight walls',
  horizontal_cylinder: 'Lying cylinder',
  sphere: 'Sphere',
};

export const UNIT_NAMES: Readonly<Record<LevelUnit, string>> = {
  mm: 'mm',
  cm: 'cm',
  m: 'm',
  in: 'in',
  ft: 'ft',
  percent: '%',
  raw: 'the number itself (bar, mA, volts …)',
};

export const SOURCE_NAMES: Readonly<Record<UplinkSource, string>> = {
  chirpstack: 'ChirpStack',
  tts: 'The Things Stack',
  generic: 'Any sender',
};

/** Why an uplink waits, and what to do about it. */
export const REASON_WORDS: Record<QuarantineReason, Readonly<Record<'why' | 'what', string>>> = {
  unknown_device: { why: 'No tank has this device', what: 'Assign the device to its tank.' },
  ambiguous_device: {
    why: 'Several tanks have this device',
    what: 'Take the device from all tanks but one.',
  },
  no_sensor: {
    why: 'The tank has no sensor',
    what: 'Add the sensor: its profile says where in the message the level is.',
  },
  rejected: {
    why: 'The sensor could not measure',
    what: 'The profile rejects such messages: the sensor is tilted, got no echo or reports an alarm. Look at the sensor, and discard the uplink.',
  },
  no_value: {
    why: 'There is no level in the message',
    what: 'The profile looks for it elsewhere. Choose the profile that fits the message, or correct the codec at the network server.',
  },
  not_a_number: {
    why: 'The level is not a number',
    what: 'Choose the profile that fits the message, or correct the codec at the network server.',
  },
  no_calibration: {
    why: 'The sensor is not calibrated',
    what: 'What it measures is no percentage. Add a calibration in its unit, which says what that means for this tank.',
  },
  out_of_range: {
    why: 'The level is outside of the calibration',
    what: 'Check the calibration. If it is right, the sensor was wrong: discard the uplink.',
  },
  in_the_future: {
    why: 'Its time is in the future',
    what: 'Set the clock of the gateway or the network server. Try again when that time has come, or discard the uplink.',
  },
  malformed: {
    why: 'It is no message that can be read',
    what: 'It came over MQTT, and is no JSON, names no device, or has a time that is none. Correct the device or its topic, and discard the uplink.',
  },
};

export function measured(value: number, unit: LevelUnit): string {
  return unit === 'raw' ? figures.format(value) : `${figures.format(value)} ${UNIT_NAMES[unit]}`;
}

/** What a profile reads besides the level, and what it does not use. */
export function profileInWords({ level, battery, temperature, ...others }: SensorProfile): string {
  const isScaled = level.factor !== undefined || level.offset !== undefined;
  const by = ` × ${figures.format(level.factor ?? 1)} + ${figures.format(level.offset ?? 0)}`;
  const parts = [
    `level: ${level.path}${isScaled ? by : ''} in ${UNIT_NAMES[level.unit]}`,
    battery === null ? '' : `battery: ${battery.path}`,
    temperature === null ? '' : `temperature: ${temperature.path}`,
    others.history === undefined ? '' : `history: ${others.history.path}`,
    counted(others.reject_when.length, 'rule') + ' to reject',
    others.ignore_when === undefined ? '' : `${counted(others.ignore_when.length, 'rule')} to ignore`,
  ];
  return `Reads ${parts.filter((part) => part !== '').join(', ')}.`;
}

export function celsius(value: number): string {
  return `${figures.format(value)} °C`;
}

export function calibrationInWords(calibration: Sensor['calibration']): string {
  if (calibration === null) return 'None';
  const { unit } = calibration;
  if ('table' in calibration) return `Table of ${counted(calibration.table.length, 'point')}`;
  const { empty, full, shape } = calibration;
  return `Empty at ${measured(empty, unit)}, full at ${measured(full, unit)}. ${SHAPE_NAMES[shape]}`;
}

/** As the API's `weak_signal` has it. */
export function signalWord({ rssi_dbm: rssi, snr_db: snr }: LastUplink): string | undefined {
  if (rssi === null && snr === null) return undefined;
  if ((rssi ?? 0) < -115 || (snr ?? 0) < -10) return 'Weak';
  return (rssi ?? 0) >= -105 && (snr ?? 0) >= 0 ? 'Good' : 'Fair';
}

export function signalFigures({ rssi_dbm: rssi, snr_db: snr, gateway_id: gateway }: LastUplink): string {
  const parts = [
    rssi === null ? '' : `${figures.format(rssi)} dBm`,
    snr === null ? '' : `SNR ${figures.format(snr)} dB`,
    gateway === null ? '' : `gateway ${gateway}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export function retriedInWords({ stored, unchanged, quarantined }: Retried): string {
  const done = stored + unchanged;
  const readings =
    done === 0 ? 'None became a reading' : `${count(done)} became ${done === 1 ? 'a reading' : 'readings'}`;
  return quarantined === 0
    ? `${readings}.`
    : `${readings}, ${count(quarantined)} still ${quarantined === 1 ? 'waits' : 'wait'}.`;
}
