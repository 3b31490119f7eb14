// What sources make of messages, hostile ones too. The built-in ones are tried with their vendors' messages in test/sensors.
import { describe, expect, it, jest } from '@jest/globals';
import { interpret } from './interpret.js';
import { readSource, validationCodeIn, type Arrival, type SourceRules } from './source.js';

const NOW = Date.parse('2026-10-25T12:00:00Z');

const rules = (given: Partial<SourceRules> = {}): SourceRules => ({
  messages: null,
  device: { path: 'id' },
  time: null,
  payload: null,
  channels: null,
  battery_percent: null,
  rssi_dbm: null,
  snr_db: null,
  ignore_when: [],
  ...given,
});

const read = (given: Partial<SourceRules>, body: unknown, arrival: Partial<Arrival> = {}) =>
  readSource(rules(given), body, { at: NOW, ...arrival });
const one = (...values: Parameters<typeof read>) => {
  const [first, ...others] = read(...values);
  expect(others).toEqual([]);
  return first;
};

const at = (t: unknown, zone = 'UTC', arrivedAt = NOW) => {
  const reading = one({ time: { path: 't', time_zone: zone } }, { id: 'a', t }, { at: arrivedAt });
  return `${reading?.time} ${reading?.at && new Date(reading.at).toISOString()}`;
};

describe('the time', () => {
  it.each([
    ['2026-10-20T10:00:00.5+02:00', 'message 2026-10-20T08:00:00.500Z'],
    ['2026-10-20 10:00:00Z', 'message 2026-10-20T10:00:00.000Z'],
    [1_792_490_400, 'message 2026-10-20T10:00:00.000Z'],
    ['1792490400', 'message 2026-10-20T10:00:00.000Z'],
    [1_792_490_400_123, 'message 2026-10-20T10:00:00.123Z'],
    [1_792_490_400.25, 'message 2026-10-20T10:00:00.250Z'],
    ['2026-10-20T10:00:00', 'message 2026-10-20T10:00:00.000Z'],
    [null, 'arrival 2026-10-25T12:00:00.000Z'],
    [0.4, 'arrival 2026-10-25T12:00:00.000Z'],
    ['1999-12-31T23:59:59Z', 'arrival 2026-10-25T12:00:00.000Z'],
    ['yesterday', 'arrival 2026-10-25T12:00:00.000Z'],
    [`2026-10-20T10:00:00.${'0'.repeat(60_000)}x`, 'arrival 2026-10-25T12:00:00.000Z'],
    [{ toString: 1 }, 'arrival 2026-10-25T12:00:00.000Z'],
  ])('%j is the %s', (sent, expected) => expect(at(sent)).toBe(expected));

  it.each([
    ['2026-07-01 08:00', 'Europe/Vienna', '2026-07-01T06:00:00.000Z'],
    ['2026-01-01T08:00:00.25', 'America/St_Johns', '2026-01-01T11:30:00.250Z'],
    ['2026-10-25T02:30:00', 'Europe/Vienna', '2026-10-25T01:30:00.000Z'], // comes twice: the later one
    ['2026-03-29T02:30:00', 'Europe/Vienna', '2026-03-29T01:30:00.000Z'], // is skipped: by the offset before it
    ['2026-03-29T03:00:00', 'Europe/Vienna', '2026-03-29T01:00:00.000Z'],
    ['2026-10-20T10:00:00Z', 'Europe/Vienna', '2026-10-20T10:00:00.000Z'],
  ])('%s in %s is %s', (sent, zone, expected) => expect(at(sent, zone)).toBe(`message ${expected}`));

  it('of an hour that comes twice is the first one while the second is in the future', () => {
    const first = Date.parse('2026-10-25T00:31:00Z');
    const second = Date.parse('2026-10-25T01:29:00Z'); // a clock may be a minute ahead

    expect(at('2026-10-25T02:30:00', 'Europe/Vienna', first)).toBe('message 2026-10-25T00:30:00.000Z');
    expect(at('2026-10-25T02:30:00', 'Europe/Vienna', second)).toBe('message 2026-10-25T01:30:00.000Z');
  });
});

describe('the device', () => {
  it.each([
    [{ path: 'id' }, { id: '00-16-c0-01-f0-00-17-5a' }, null, '0016C001F000175A'],
    [{ path: 'id' }, { id: 4_711 }, null, '4711'],
    [{ path: 'id' }, { id: 2 ** 53 }, null, null],
    [{ path: 'id' }, { id: 1.5 }, null, null],
    [{ path: 'id' }, { id: '' }, null, null],
    [{ path: 'id' }, { id: ['a'] }, null, null],
    [{ path: 'id' }, { id: 'x'.repeat(256) }, null, null],
    [{ path: 'id' }, {}, 'tele/tank-1/SENSOR', null],
    [{ path: 'constructor.name' }, {}, null, null],
    [{ path: '__proto__' }, {}, null, null],
    [{ topic: 2 }, {}, 'tele/tank-1/SENSOR', 'tank-1'],
    [{ topic: 9 }, {}, 'tele/tank-1/SENSOR', null],
    [{ topic: 2 }, {}, null, null],
    [{ path: 'id', topic: 2 }, { id: 'tank-1' }, 'tele/tank-1/SENSOR', 'tank-1'],
    [{ path: 'id', topic: 2 }, { id: 'tank-2' }, 'tele/tank-1/SENSOR', null],
    [{ path: 'id', topic: 2 }, {}, 'tele/tank-1/SENSOR', null],
    [{ path: 'id', topic: 2 }, { id: 'tank-1' }, null, 'tank-1'],
  ] as const)('at %j of %j by the topic %s is %s', (device, message, topic, expected) => {
    const reading = one({ device }, message, { topic });

    expect(reading?.deviceId ?? null).toBe(expected);
    expect(reading?.outcome).toBe(expected === null ? 'malformed' : 'uplink');
  });
});

describe('the payload', () => {
  it.each([
    [[{ path: 'p', as: 'json' }], { p: { a: 1 } }, { a: 1 }],
    [[{ path: 'p', as: 'json' }], { p: '[{"n":"level","v":5}]' }, [{ n: 'level', v: 5 }]],
    [[{ path: 'p', as: 'json' }], { p: '59 %' }, { value: '59 %' }],
    [[{ path: 'p', as: 'json' }], { p: 0 }, { value: 0 }],
    [
      [
        { path: 'p', as: 'json' },
        { path: 'h', as: 'hex' },
      ],
      { p: null, h: '0x0A 1f:2B-3c' },
      { bytes: '0a1f2b3c' },
    ],
    [[{ path: 'h', as: 'hex' }], { h: '0x0a 0x1F' }, { bytes: '0a1f' }],
    [[{ path: 'b', as: 'base64' }], { b: '-_8=' }, { bytes: 'fbff' }],
    [[{ path: 'b', as: 'base64' }], { b: '+/8' }, { bytes: 'fbff' }],
    [[{ path: 'q', as: 'json' }], { p: 1 }, undefined],
    [null, 3.21, { value: 3.21 }],
  ] as const)('%j of %j is %j', (payload, message, expected) => {
    const reading = one({ payload, device: { topic: 1 } }, message, { topic: 'a' });

    expect(reading).toMatchObject({ outcome: 'uplink' });
    expect(reading?.decoded).toEqual(expected);
  });

  it.each([
    ['hex', 'abc'],
    ['hex', '0g'],
    ['hex', 12],
    ['base64', 'a'],
    ['base64', 'ab$d'],
    ['base64', { a: 1 }],
  ] as const)('that is no %s is malformed: %j', (as, p) => {
    const reading = one({ payload: [{ path: 'p', as }] }, { id: 'a', p });

    expect(reading).toMatchObject({ outcome: 'malformed', deviceId: 'a', at: NOW });
    expect(reading?.detail).toContain(`no ${as}`);
  });

  it('has battery and signal beside it, as numbers or texts of numbers', () => {
    const places = { battery_percent: { path: 'b' }, rssi_dbm: { path: 'r' }, snr_db: { path: 's' } };

    expect(one(places, { id: 'a', b: '87', r: '-97.50', s: 4 })).toMatchObject({
      battery: 87,
      signal: { rssi: -97.5, snr: 4 },
    });
    expect(one(places, { id: 'a', b: 255, r: 'weak', s: null })).toMatchObject({
      battery: null,
      signal: { rssi: null, snr: null },
    });
  });
});

const many = (count: number) => Array.from({ length: count }, () => ({ id: 'a', ch: [1, 2] }));

describe('a body of several', () => {
  const channels = [
    { name: '1', path: 'ch.0' },
    { name: 'b_2', path: 'ch.1' },
  ];

  it('gives an uplink for each channel that is there', () => {
    const readings = read({ channels }, { id: '0016c001f000175a', ch: [{ v: 1 }, 7] });

    expect(readings.map(({ deviceId, decoded }) => ({ deviceId, decoded }))).toEqual([
      { deviceId: '0016C001F000175A#1', decoded: { v: 1 } },
      { deviceId: '0016C001F000175A#b_2', decoded: { value: 7 } },
    ]);
    expect(read({ channels }, { id: 'a', ch: [null, 7] }).map(({ deviceId }) => deviceId)).toEqual(['a#b_2']);
    expect(one({ channels }, { id: 'a' })?.outcome).toBe('malformed');
    expect(one({ channels }, { id: 'x'.repeat(255), ch: [1] })?.outcome).toBe('malformed');
  });

  it('is read message by message, each by itself', () => {
    const body = { list: [{ id: 'a' }, { skip: true }, {}, 5] };
    const readings = read(
      { messages: { path: 'list' }, ignore_when: [{ path: 'skip', equals: true }] },
      body,
    );

    expect(readings.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['uplink', { id: 'a' }],
      ['ignored', { skip: true }],
      ['malformed', {}],
      ['malformed', 5],
    ]);
    expect(readings.every(({ isWhole }) => !isWhole)).toBe(true);
  });

  it('is kept whole when its messages are not found, or are too many', () => {
    const whole = { outcome: 'malformed', isWhole: true };

    expect(one({ messages: { path: 'list' } }, { list: {} })).toMatchObject(whole);
    expect(one({ messages: { path: '' } }, { id: 'a' })).toMatchObject(whole);
    expect(one({ messages: { path: '' } }, many(101))).toMatchObject(whole);
    expect(read({ messages: { path: '' } }, many(100))).toHaveLength(100);
    expect(one({ messages: { path: '' }, channels }, many(51))).toMatchObject(whole);
    expect(read({ messages: { path: '' }, channels }, many(50))).toHaveLength(100);
    expect(read({ messages: { path: '' } }, [])).toEqual([]);
  });
});

describe('a message that asks', () => {
  it('for a code gets it when it is alone', () => {
    const asks = {
      eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
      data: { validationCode: 'c' },
    };

    expect(validationCodeIn([asks])).toBe('c');
    for (const body of [asks, [asks, asks], [{ ...asks, eventType: 'other' }], [{ ...asks, data: {} }], null])
      expect(validationCodeIn(body)).toBeUndefined();
  });

  it('to be confirmed says what to open', () => {
    const url = 'https://iot.eu-west-1.amazonaws.com/confirmdestination/AYADeM';
    const asks = { messageType: 'DestinationConfirmation', confirmationToken: 'AYADeM', enableUrl: url };

    const reading = one({ messages: { path: 'x' } }, asks);
    expect(reading).toMatchObject({ outcome: 'malformed', isWhole: true });
    expect(reading?.detail).toContain(url);
  });
});

const asRules = (path: string) => Array.from({ length: 20 }, () => ({ path, equals: 'none' }));

const interpretAll = (given: Partial<SourceRules>, body: unknown, path: string) => {
  const level = { path, unit: 'percent' } as const;
  const history = { path: 'h', time: 't', level: 'v' };
  const profile = { level, battery: null, temperature: null, reject_when: asRules(path), history };
  return read(given, body).map((uplink) =>
    interpret({ ...uplink, at: NOW }, { profile, calibration: null }, NOW),
  );
};

describe('a message costs the same whatever its rules look for', () => {
  const channels = Array.from({ length: 20 }, (_, i) => ({ name: `${i}`, path: 'text' }));
  it('each of its texts is parsed once', () => {
    const entries = Array.from({ length: 500 }, (_, i) => `{"t":${NOW / 1000 - i},"v":${i / 10}}`);
    const inner = JSON.stringify({ level: 5, id: 'a' });
    const text = JSON.stringify({ inner, h: entries });
    const parse = jest.spyOn(JSON, 'parse');

    const all = interpretAll(
      { device: { path: 'text.inner.id' }, ignore_when: asRules('text.inner.x'), channels },
      { text },
      'inner.level',
    );
    const parsed = parse.mock.calls.length;
    parse.mockRestore();

    expect(all).toHaveLength(20);
    expect(all[19]).toMatchObject({ fill: 5, history: { skipped: 1 } }); // of the uplink's own time
    expect(parsed).toBe(2 + entries.length);
  });

  it('each of its arrays is gone through once', () => {
    let reads = 0;
    const element = (a: number) => ({
      get a() {
        reads += 1;
        return a;
      },
    });
    const text = { list: Array.from({ length: 1_000 }, (_, i) => element(i)) };

    const all = interpretAll({ channels }, { id: 'a', text }, 'list[a=999].a');

    expect(all).toHaveLength(20);
    expect(reads).toBeLessThan(3_000);
  });
});
