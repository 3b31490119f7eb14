import { describe, expect, it } from '@jest/globals';
import { interpret, type Profile, type Rule, type Sensor } from './interpret.js';
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
    history: null,
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

const ruled = (rule: Rule): Sensor => ({ ...SENSOR, profile: { ...PROFILE, reject_when: [rule] } });

describe('rules', () => {
  it.each([
    [{ path: 'distance', below: 1101 }, { distance: 1100 }],
    [{ path: 'distance', below: 21 }, { distance: '20 mm' }],
    [{ path: 'distance', below: 21 }, { distance: '20 cm' }],
    [{ path: 'distance', above: 1099 }, { distance: '1100 mm' }],
    [
      { path: 'echo.snr', above: 0 },
      { distance: 1100, echo: { snr: '0.1 dB' } },
    ],
    [{ path: 'valid', absent: true }, { distance: 1100 }],
    [
      { path: 'valid', absent: true },
      { distance: 1100, valid: null },
    ],
  ] as const)('%j applies to %j', (rule, decoded) => {
    expect(reasonOf(decoded, ruled(rule))).toBe('rejected');
  });

  it.each([
    [{ path: 'distance', below: 1100 }, { distance: 1100 }],
    [{ path: 'distance', above: 1100 }, { distance: 1100 }],
    [
      { path: 'snr', below: 5 },
      { distance: 1100, snr: 'low' },
    ],
    [{ path: 'snr', below: 5 }, { distance: 1100 }],
    [
      { path: 'snr', above: 0 },
      { distance: 1100, snr: true },
    ],
    [
      { path: 'valid', absent: true },
      { distance: 1100, valid: false },
    ],
  ] as const)('%j does not apply to %j', (rule, decoded) => {
    expect(reasonOf(decoded, ruled(rule))).toBeNull();
  });

  it('what is no measurement is looked at first, and says its battery', () => {
    const profile = { ...PROFILE, ignore_when: [{ path: 'distance', absent: true }] } as const;
    const heartbeat = uplink({ position: 'tilt', battery: 50 }, NOW + 1e9);

    expect(interpret(heartbeat, { ...SENSOR, profile }, NOW)).toMatchObject({
      fill: null,
      reason: 'not_a_measurement',
      battery: 50,
    });
  });
});

it('the battery that the sender says counts before that of the payload', () => {
  const decoded = { distance: 1100, battery: 92 };

  expect(interpret({ ...uplink(decoded), battery: 0 }, SENSOR, NOW).battery).toBe(0);
  expect(interpret({ ...uplink(decoded), battery: null }, SENSOR, NOW).battery).toBe(92);
});

const raw = (calibration: Sensor['calibration']): Sensor => ({
  profile: { ...PROFILE, level: { path: 'mA', unit: 'raw' } },
  calibration,
});

it('a raw number needs a calibration that is raw, too', () => {
  const points = { empty: 4, full: 20, unit: 'raw', shape: 'upright' } as const;

  expect(interpret(uplink({ mA: '12 mA' }), raw(points), NOW)).toMatchObject({ fill: 50, level: 12 });
  expect(reasonOf({ mA: 12 }, raw(null))).toBe('no_calibration');
  expect(reasonOf({ mA: 12 }, raw({ ...points, unit: 'mm' }))).toBe('no_calibration');
  expect(reasonOf({ mA: 12 }, raw({ ...points, unit: 'percent' }))).toBe('no_calibration');
  expect(reasonOf({ mA: 25 }, raw(points))).toBe('out_of_range');
  expect(reasonOf({ distance: 1100 }, { ...SENSOR, calibration: points })).toBe('no_calibration');
  expect(interpret(uplink({ distance: '64%' }), { ...SENSOR, calibration: points }, NOW).fill).toBe(64);
});

describe('a history', () => {
  const logger: Sensor = {
    ...SENSOR,
    profile: { ...PROFILE, history: { path: 'log', time: 't', level: 'd' } },
  };
  const SECONDS = NOW / 1000;
  const read = (decoded: Uplink['decoded'], at = NOW) => {
    const { fill, reason, history } = interpret(uplink(decoded, at), logger, NOW);
    return { fill, reason, history: history && { ...history, fills: [...history.fills] } };
  };

  it('gives a fill for each entry, by its own time', () => {
    const log = [
      { t: SECONDS - 60, d: 600 },
      { t: String(NOW - 30_000), d: '60 cm' },
      { t: '2026-11-01T11:00:00Z', d: 1600 },
    ];

    expect(read({ distance: 1100, log })).toEqual({
      fill: 50,
      reason: null,
      history: {
        fills: [
          [NOW - 60_000, 100],
          [NOW - 30_000, 100],
          [NOW - 3_600_000, 0],
        ],
        skipped: 0,
      },
    });
  });

  it('skips what gives none, what comes after 500, and what counts for another', () => {
    const bad = [
      { t: SECONDS + 3600, d: 600 },
      { t: 12, d: 600 },
      { t: SECONDS, d: 600 }, // of the uplink itself
      { t: SECONDS - 1, d: 9999 },
      { t: SECONDS - 1, d: 'x' },
      { d: 600 },
      { t: SECONDS - 1 },
      null,
      7,
      { t: SECONDS - 5, d: 600 }, // the next is the last of its time
      { t: SECONDS - 5, d: 1600 },
    ];

    expect(read({ distance: 1100, log: bad }).history).toEqual({ fills: [[NOW - 5000, 0]], skipped: 10 });
    const long = Array.from({ length: 502 }, (_, i) => ({ t: SECONDS - 1 - i, d: 600 }));
    const { history } = read({ distance: 1100, log: long });
    expect([history?.fills.length, history?.skipped]).toEqual([500, 2]);
  });

  it('stands for the level of an uplink that has none', () => {
    const log = [{ t: SECONDS, d: 600 }];
    const history = { fills: [[NOW, 100]], skipped: 0 };

    expect(read({ log })).toEqual({ fill: null, reason: null, history });
    expect(read({ distance: null, log })).toEqual({ fill: null, reason: null, history });
    expect(read({ log: [] })).toEqual({ fill: null, reason: 'no_value', history: null });
    expect(read({ log: [{ t: SECONDS, d: 'x' }] })).toEqual({
      fill: null,
      reason: 'no_value',
      history: null,
    });
  });

  it('is not used where the uplink is not', () => {
    const log = [{ t: SECONDS - 1, d: 600 }];

    expect(read({ distance: 9999, log })).toEqual({ fill: null, reason: 'out_of_range', history: null });
    expect(read({ position: 'tilt', log })).toEqual({ fill: null, reason: 'rejected', history: null });
    expect(read({ log }, NOW + 1e9)).toEqual({ fill: null, reason: 'in_the_future', history: null });
  });

  it('may be of arrays, and is none where there is no array', () => {
    const rows: Sensor = {
      ...SENSOR,
      profile: { ...PROFILE, history: { path: 'log', time: '0', level: '1' } },
    };
    const { history } = interpret(uplink({ distance: 1100, log: [[SECONDS - 1, 600]] }), rows, NOW);

    expect(history?.fills).toEqual(new Map([[NOW - 1000, 100]]));
    expect(read({ distance: 1100, log: {} }).history).toBeNull();
    expect(read({ distance: 1100 }).history).toBeNull();
    expect(read({ distance: 1100, log: [] }).history).toEqual({ fills: [], skipped: 0 });
  });
});
