import { describe, expect, it } from '@jest/globals';
import { readChirpStack, readTts } from './messages.js';

const AT = Date.parse('2026-11-01T10:11:12.123Z');

/** As ChirpStack 4.9 posts it, shortened. */
const UP = {
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: '2026-11-01T10:11:12.123456789+00:00',
  deviceInfo: { tenantName: 'ChirpStack', deviceName: 'tank-1', devEui: '0016c001f000175a' },
  devAddr: '00189440',
  adr: true,
  fCnt: 17,
  fPort: 85,
  data: 'AXVcAwH0',
  object: { battery: 92, distance: 1100, position: 'normal' },
  rxInfo: [
    { gatewayId: '0016c001f153a14c', rssi: -97, snr: 6.5 },
    { gatewayId: 'a84041ffff1e24b0', rssi: -57 },
    { gatewayId: 'a84041ffff1e24b1', rssi: '-20' },
  ],
};

/** As The Things Stack 3.32 posts it, shortened. */
const TTS = {
  end_device_ids: {
    device_id: 'tank-1',
    dev_eui: '0016C001F000175A',
    application_ids: { application_id: 'tanks' },
  },
  correlation_ids: ['gs:uplink:01'],
  received_at: '2026-11-01T10:11:12.323456789Z',
  uplink_message: {
    f_port: 85,
    frm_payload: 'AXVcAwH0',
    decoded_payload: { battery: 92, distance: 1100 },
    rx_metadata: [
      { gateway_ids: { gateway_id: 'roof', eui: '0016C001F153A14C' }, rssi: -97, snr: 6.5 },
      { gateway_ids: { gateway_id: 'yard' }, rssi: -57.5 },
    ],
    received_at: '2026-11-01T10:11:12.123456789Z',
  },
};

const ignored = (reason: string, more = {}) => ({
  ignored: reason,
  deviceId: '0016C001F000175A',
  at: AT,
  battery: null,
  ...more,
});

describe('ChirpStack', () => {
  it('an uplink is a device, a time, what was decoded and the best gateway', () => {
    expect(readChirpStack(UP, 'up')).toEqual({
      deviceId: '0016C001F000175A',
      at: AT,
      decoded: UP.object,
      frameCounter: 17,
      signal: { rssi: -57, snr: 0, gatewayId: 'a84041ffff1e24b0' },
    });
  });

  it.each([
    ['no data and nothing decoded', { data: undefined, object: undefined }],
    ['empty data and an empty object', { data: '', object: {} }],
    ['what is no data and no object', { data: 5, object: [1] }],
  ])('%s is empty', (_, more) => {
    expect(readChirpStack({ ...UP, ...more }, 'up')).toEqual(ignored('empty'));
  });

  it.each([{ data: undefined }, { object: undefined }])('is not empty with one of the two: %j', (more) => {
    expect(readChirpStack({ ...UP, ...more }, 'up')).not.toHaveProperty('ignored');
  });

  it.each(['join', 'ack', 'txack', 'log', 'location', 'integration', 'anything'])(
    '%s is ignored',
    (event) => {
      expect(readChirpStack(UP, event)).toEqual(ignored(event));
      expect(readChirpStack({}, event)).toEqual(ignored(event, { deviceId: null, at: null }));
    },
  );

  it.each([
    [{ batteryLevel: 75.5 }, 75.5],
    [{ batteryLevel: 0, externalPowerSource: false, batteryLevelUnavailable: false }, 0],
    [{ batteryLevel: 75, externalPowerSource: true }, null],
    [{ batteryLevel: 75, batteryLevelUnavailable: true }, null],
    [{ batteryLevel: 254 }, null],
    [{ batteryLevel: '75' }, null],
    [{}, null],
  ])('a status with %j has the battery %j', (more, battery) => {
    expect(readChirpStack({ ...UP, ...more }, 'status')).toEqual(ignored('status', { battery }));
  });

  it.each([
    ['device', {}, { deviceInfo: undefined }],
    ['device', {}, { deviceInfo: { devEui: 5 } }],
    ['device', {}, { deviceInfo: { devEui: '' } }],
    ['device', {}, { deviceInfo: { devEui: 'x'.repeat(256) } }],
    ['device', {}, { deviceInfo: { devEui: 'a\0b' } }],
    ['device', {}, { deviceInfo: { devEui: '\ud800' } }],
    ['time', {}, { time: undefined }],
    ['time', {}, { time: 1762000000 }],
    ['time', {}, { time: 'yesterday' }],
    ['time', {}, { time: '2026-11-01' }],
  ])('an uplink without a %s is none (%#)', (lacks, _, more) => {
    expect(readChirpStack({ ...UP, ...more }, 'up')).toEqual({ malformed: expect.stringContaining(lacks) });
  });

  it.each([
    [{ fCnt: undefined }, { frameCounter: 0 }],
    [{ fCnt: '17' }, { frameCounter: 0 }],
    [{ fCnt: -1 }, { frameCounter: 0 }],
    [{ fCnt: 1e300 }, { frameCounter: 0 }],
    [{ object: 'text' }, { decoded: undefined }],
    [{ rxInfo: undefined }, { signal: { rssi: null, snr: null, gatewayId: null } }],
    [{ rxInfo: { rssi: -5 } }, { signal: { rssi: null, snr: null, gatewayId: null } }],
    [{ rxInfo: [null, 5, { gatewayId: 5, snr: 'x' }] }, { signal: { rssi: null, snr: 0, gatewayId: null } }],
    [{ rxInfo: [{ gatewayId: 'a\0', rssi: -5 }] }, { signal: { rssi: -5, snr: 0, gatewayId: null } }],
  ])('a wrong type is as if absent: %j', (more, expected) => {
    expect(readChirpStack({ ...UP, ...more }, 'up')).toMatchObject(expected);
  });
});

describe('The Things Stack', () => {
  it('an uplink is a device, a time, what was decoded and the best gateway; what it leaves out is 0', () => {
    expect(readTts(TTS)).toEqual({
      deviceId: '0016C001F000175A',
      at: AT,
      decoded: TTS.uplink_message.decoded_payload,
      frameCounter: 0,
      signal: { rssi: -57.5, snr: 0, gatewayId: 'yard' },
    });
  });

  it('a device without an EUI has its id, and one without a time of its own that of the message', () => {
    const { received_at: _, ...uplink } = TTS.uplink_message;

    expect(
      readTts({ ...TTS, end_device_ids: { device_id: 'tank-1' }, uplink_message: uplink }),
    ).toMatchObject({
      deviceId: 'tank-1',
      at: Date.parse('2026-11-01T10:11:12.323Z'),
    });
  });

  it.each([
    ['join_accept', { join_accept: {} }],
    ['downlink_ack', { downlink_ack: { f_port: 1 } }],
    ['service_data', { service_data: {} }],
    ['other', {}],
    ['other', { uplink_message: 'text' }],
    ['other', { something_new: {} }],
  ])('a message of the kind %s is ignored', (kind, more) => {
    const { uplink_message: _, ...rest } = TTS;

    expect(readTts({ ...rest, ...more })).toEqual(
      ignored(kind, { at: Date.parse('2026-11-01T10:11:12.323Z') }),
    );
    expect(readTts({ end_device_ids: {}, ...more })).toEqual(ignored(kind, { deviceId: null, at: null }));
  });

  it.each([
    {},
    UP,
    { join_accept: {} },
    { simulated: true },
    { ...TTS, end_device_ids: undefined },
    { ...TTS, end_device_ids: [] },
    { ...TTS, end_device_ids: 'tank-1' },
  ])("what has no end_device_ids is nobody else's to drop (%#)", (message) => {
    expect(readTts(message)).toEqual({ malformed: expect.stringContaining('end_device_ids') });
  });

  it('a simulated one is ignored', () => {
    expect(readTts({ ...TTS, simulated: true })).toEqual(ignored('simulated'));
    expect(readTts({ ...TTS, simulated: 'true' })).not.toHaveProperty('ignored');
  });

  it('one without payload is ignored', () => {
    const { frm_payload: _, decoded_payload: __, ...uplink } = TTS.uplink_message;

    expect(readTts({ ...TTS, uplink_message: uplink })).toEqual(ignored('empty'));
  });

  it('an uplink without a device or a time is none', () => {
    const { received_at: _, ...uplink } = TTS.uplink_message;
    const { received_at: __, ...message } = TTS;

    expect(readTts({ ...TTS, end_device_ids: {} })).toEqual({ malformed: expect.stringContaining('device') });
    expect(readTts({ ...message, uplink_message: uplink })).toEqual({
      malformed: expect.stringContaining('time'),
    });
  });
});
