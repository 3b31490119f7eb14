import { describe, expect, it } from '@jest/globals';
import { readGenericMessage } from './messages.js';

const ARRIVED = new Date('2026-11-01T10:11:12.123Z');
const AT = Date.parse('2026-11-01T10:00:00.000Z');
const SENT = { device_id: 'tank-7', payload: { distance: 1100 } };
const READ = {
  deviceId: 'tank-7',
  at: ARRIVED.getTime(),
  decoded: SENT.payload,
  frameCounter: null,
  signal: { rssi: null, snr: null, gatewayId: null },
  battery: null,
};

const read = (more: object) => readGenericMessage({ ...SENT, ...more }, ARRIVED);

describe('a message of any sender', () => {
  it('is a device and a payload; its time is the moment of arrival', () => {
    expect(read({})).toEqual(READ);
    expect(read({ time: null })).toEqual(READ);
    expect(read({ device_id: '00-16-c0-01-f0-00-17-5a', payload: {} })).toEqual({
      ...READ,
      deviceId: '0016C001F000175A',
      decoded: {},
    });
  });

  it('may say its time, its battery and its signal', () => {
    const said = {
      time: '2026-11-01T11:00:00.000999+01:00',
      battery_percent: 87,
      rssi_dbm: -97,
      snr_db: 4.5,
    };
    const signal = { rssi: -97, snr: 4.5, gatewayId: null };
    expect(read(said)).toEqual({ ...READ, at: AT, battery: 87, signal });
  });

  it('other keys, wrong types and percentages that are none are as if absent', () => {
    expect(read({ battery_percent: 101, rssi_dbm: '-97', snr_db: [4], gateway_id: 'x', fCnt: 3 })).toEqual(
      READ,
    );
    expect(read({ battery_percent: '87', rssi_dbm: Infinity, snr_db: null })).toEqual(READ);
    expect(read({ battery_percent: -0.1 })).toEqual(READ);
  });

  it.each([
    [AT / 1000, AT],
    [String(AT / 1000), AT],
    [AT, AT],
    [`${AT}`, AT],
    [AT / 1000 + 0.123, AT + 123],
    [AT / 1000 + 0.9999, AT + 999],
    [946_684_800, Date.UTC(2000)],
    ['1999-12-31T23:59:59Z', Date.UTC(2000) - 1000],
    [1e11 - 1, (1e11 - 1) * 1000],
  ])('the time %p is read', (time, at) => {
    expect(read({ time })).toEqual({ ...READ, at });
  });

  it.each([
    [946_684_799.999],
    [1e11],
    [0],
    [-1],
    ['12'],
    ['yesterday'],
    [''],
    [true],
    [{}],
    [[AT]],
    [1e300],
    [Infinity],
    [253_402_300_800_000],
  ])('the time %p is none', (time) => {
    expect(read({ time })).toEqual({
      malformed: 'time must be an RFC 3339 datetime, or a Unix time from 2000 on.',
    });
  });

  it.each([[undefined], [null], [''], [7], ['x'.repeat(256)], ['a\0b'], ['\ud800']])(
    '%p is no device',
    (device_id) => {
      expect(read({ device_id })).toEqual({
        malformed: 'device_id must be a string of 1 to 255 characters.',
      });
    },
  );

  it.each([[undefined], [null], [[]], ['{}'], [7]])('%p is no payload', (payload) => {
    expect(read({ payload })).toEqual({ malformed: 'payload must be a JSON object.' });
  });

  it('what is no object is no message', () => {
    for (const body of [null, 7, 'x', [SENT]])
      expect(readGenericMessage(body, ARRIVED)).toHaveProperty('malformed');
  });
});
