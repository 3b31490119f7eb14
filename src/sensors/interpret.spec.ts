import { describe, expect, it } from '@jest/globals';
import { interpret, type Profile, type Sensor } from './interpret.js';
import type { Uplink } from './uplink.js';

const NOW = Date.UTC(2026, 10, 1, 12);
const PROFILE: Profile = {
  level: { path: 'distance', unit: 'mm' },
  battery: { path: 'battery' },
  temperature: { path: 'temperature' },
  reject_when: [
    { path: 'position', equals: 'tilt' },
    { path: 'distance', equals: 0 },
    { path: 'alarm', equals: true },
  ],
};
const CALIBRATION = { empty: 1600, full: 600, unit: 'mm', shape: 'upright' } as const;
const SENSOR: Sensor = { profile: PROFILE, calibration: CALIBRATION };

function uplink(decoded: Uplink['decoded'], at = NOW): Uplink {
  return { deviceId: 'd', at, decoded, frameCounter: 0, signal: { rssi: null, snr: null, gatewayId: null } };
}

const reasonOf = (decoded: Uplink['decoded'], sensor = SENSOR, at = NOW) =>
  interpret(uplink(decoded, at), sensor, NOW).reason;

it('an uplink is a fill, a level, a battery and a temperature', () => {
  const decoded = { distance: '110 cm', battery: '92%', temperature: '25.7 °C', position: 'normal' };

  expect(interpret(uplink(decoded), SENSOR, NOW)).toEqual({
    fill: 50,
    reason: null,
    level: 1100,
    battery: 92,
    temperature: 25.7,
  });
});

describe('the reason is', () => {
  it.each([
    ['rejected', { distance: 1100, position: 'tilt' }],
    ['rejected', { distance: 0 }],
    ['rejected', { distance: 'x', alarm: true }],
    ['no_value', {}],
    ['no_value', undefined],
    ['no_value', { distance: null }],
    ['not_a_number', { distance: 'No Sensor' }],
    ['out_of_range', { distance: 1700 }],
  ])('%s: %j', (reason, decoded) => {
    expect(reasonOf(decoded)).toBe(reason);
  });

  it.each([
    { distance: 1100, position: 'Tilt' },
    { distance: 1100, position: ['tilt'] },
    { distance: 1100, alarm: 'true' },
    { distance: 1100, alarm: 1 },
  ])('none where the value or its type is another: %j', (decoded) => {
    expect(reasonOf(decoded)).toBeNull();
  });

  it('no_calibration for a length without one, and none for a percentage', () => {
    const uncalibrated = { ...SENSOR, calibration: null };

    expect(reasonOf({ distance: 1100 }, uncalibrated)).toBe('no_calibration');
    expect(reasonOf({ distance: '64%' }, uncalibrated)).toBeNull();
  });

  it('in_the_future from 5 minutes on, unless there is another', () => {
    const ahead = NOW + 300_000;

    expect(reasonOf({ distance: 1100 }, SENSOR, ahead)).toBeNull();
    expect(reasonOf({ distance: 1100 }, SENSOR, ahead + 1)).toBe('in_the_future');
    expect(reasonOf({ distance: 9999 }, SENSOR, ahead + 1)).toBe('out_of_range');
  });
});

it('what the battery and the temperature are is no reason', () => {
  const { fill, battery, temperature } = interpret(
    uplink({ distance: 1100, battery: '3.6 V', temperature: true }),
    SENSOR,
    NOW,
  );

  expect({ fill, battery, temperature }).toEqual({ fill: 50, battery: null, temperature: null });
});

it('a level is in the unit of the profile, and unknown between a length and a percentage', () => {
  const inPercent = {
    profile: { ...PROFILE, level: { path: 'distance', unit: 'percent' } },
    calibration: CALIBRATION,
  } as const;

  expect(interpret(uplink({ distance: '64%' }), SENSOR, NOW)).toMatchObject({ fill: 64, level: null });
  expect(interpret(uplink({ distance: '1.1 m' }), inPercent, NOW)).toMatchObject({ fill: 50, level: null });
  expect(interpret(uplink({ distance: 1100, position: 'tilt' }), SENSOR, NOW)).toMatchObject({
    fill: null,
    level: 1100,
  });
});
