// The profiles that come with the service, each against what its public decoders emit (docs/sensors.md names them): measurements, other
// messages, and above all the values that mean "no measurement".
import { describe, expect, it } from '@jest/globals';
import { chirpStack, outcomeOf, startSensors } from '../support/uplinks.js';

const { manager, sql } = await startSensors();

/** Full up to the sensor, so that what is a little below 0 would be taken for a full tank, as would 20 mm. */
const TO_THE_TOP = { empty: 2000, full: 0, unit: 'mm', shape: 'upright' };

type Outcome = number | 'rejected' | 'no_value' | 'out_of_range';
type Case = [
  profile: string,
  decoded: object,
  outcome: Outcome,
  battery?: number | null,
  temperature?: number | null,
];

const dragino = (distance: unknown, more: object = {}): object => ({
  Bat: 3.362,
  Distance: distance,
  Interrupt_flag: 0,
  TempC_DS18B20: '0.00',
  Sensor_flag: 1,
  ...more,
});
const laser = (median: number, samples: number): object => ({
  protocol_version: 2,
  device_id: 4553,
  distance_average: { displayName: 'Distance: average', value: median, unit: 'mm' },
  distance_median: { displayName: 'Distance: median', value: median, unit: 'mm' },
  number_of_samples: { displayName: 'Number of samples', value: samples },
  battery_voltage: { displayName: 'Battery voltage', value: 2.749, unit: 'V' },
});

const CASES: Case[] = [
  ['em400-udl', { battery: 92, temperature: 25.7, distance: 1000, position: 'normal' }, 50, 92, 25.7],
  ['em400-udl', { battery: 92, temperature: -4.5, distance: 1000, position: 'tilt' }, 'rejected', 92, -4.5],
  ['em400-udl', { distance: 1000, distance_alarm: 'threshold_alarm' }, 50],
  ['em400-udl', { temperature: 29, temperature_alarm: 'threshold_alarm' }, 'no_value', null, 29],
  ['em400-udl', { battery: 92, distance: 65_535, position: 'normal' }, 'out_of_range', 92],
  ['em400-udl', { ipso_version: 'v0.1', device_status: 'on', sn: '6329c42503920003' }, 'no_value'],

  ['em310-udl', { battery: 92, distance: 1000, position: 'normal' }, 50, 92],
  ['em310-udl', { battery: 92, distance: 1000, position: 'tilt' }, 'rejected', 92],
  ['em310-udl', { battery: 92, distance: 65_533 }, 'out_of_range', 92],

  ['em410-rdl', { battery: 98, temperature: 18.4, distance: 1000, position: 'normal' }, 50, 98, 18.4],
  ['em410-rdl', { distance: 1000, position: 'tilt' }, 'rejected'],
  ['em410-rdl', { distance: 1000, event: [{ distance: 1000, distance_alarm: 'threshold alarm' }] }, 50],
  ['em410-rdl', { battery: 98, distance: -1, position: 'normal' }, 'rejected', 98],
  ['em410-rdl', { battery: 98, distance: -3, position: 'normal' }, 'rejected', 98],
  ['em410-rdl', { event: [{ distance_exception: 'no target' }] }, 'no_value'],
  ['em410-rdl', { history: [{ timestamp: 1_767_225_600, distance: 1000 }] }, 'no_value'],

  ['em500-udl', { battery: 100, distance: 1000 }, 50, 100],
  ...['normal', 'threshold_alarm', 'mutation_alarm', 'unknown'].map((alarm): Case => [
    'em500-udl',
    { distance: 100, distance_mutation: 1.5, distance_alarm: alarm }, // a tenth of what was measured
    'rejected',
  ]),
  ['em500-udl', { battery: 100, distance: 65_533 }, 'out_of_range', 100],

  ['em500-udl-tts', { battery: 90, distance: 1 }, 50, 90],
  ['em500-udl-tts', { battery: 90, distance: -0.001 }, 'rejected', 90],

  ['em500-swl', { battery: 100, depth: 100 }, 50, 100],
  ['em500-swl', { battery: 100, depth_error: 'collection failed' }, 'no_value', 100],

  ['em500-swl-tts', { battery: 92, distance: 100 }, 50, 92],
  ['em500-swl-tts', { battery: 92, distance: 65_533 }, 'rejected', 92],

  ['dragino-dds', dragino(1000), 50],
  ['dragino-dds', dragino('1000 mm'), 50],
  ['dragino-dds', dragino('1000 mm', { Bat: '3.362 V', TempC_DS18B20: '0.00 °C' }), 50],
  ['dragino-dds', { Bat: 3.362, Distance: 1000, Interrupt_status: 0 }, 50],
  ...[0, 20, '0 mm', '20 mm', '0mm', '20mm', '0', '20', 'No Sensor', 'Invalid Reading'].map((none): Case => [
    'dragino-dds',
    dragino(none),
    'rejected',
  ]),
  ['dragino-dds', dragino(1000, { Sensor_flag: 0 }), 'rejected'],
  ['dragino-dds', { Bat: 3.362, Additional_Distance_Data: [1000, 1001], Sensor_flag: 1 }, 'no_value'],
  ['dragino-dds', { SENSOR_MODEL: 'DDS45-LB', FIRMWARE_VERSION: '1.0.0', BAT: 3.362 }, 'no_value'],

  ['df530', { level: '1000 mm', empty: false, battery: false, temperature: '25 ℃' }, 50, null, 25],
  ['df530', { periodic_upload_interval: '1 minutes', empty_alarm_threshold: '30 cm' }, 'no_value'],

  ['dl-lid', laser(1000, 12), 50],
  ['dl-lid', laser(0, 0), 'rejected'],
  ['dl-lid', { protocol_version: 2, battery_voltage: { value: 2.749, unit: 'V' } }, 'no_value'],

  ['elsys-elt-ultrasonic', { temperature: 22.6, humidity: 41, distance: 1000, vdd: 3612 }, 50, null, 22.6],
  ['elsys-elt-ultrasonic', { temperature: 22.6, humidity: 41, vdd: 3612 }, 'no_value', null, 22.6],

  ['r718pe', { Device: 'R718PE', Volt: 3.6, Status: 'ON', Distance: 1000, FillLevel: 50 }, 50],
  ['r718pe', { Device: 'R718PE', Volt: '3.1(low battery)', Status: 'OFF', Distance: 1000 }, 50],
  ['r718pe', { Device: 'R718PE', SWver: 10, HWver: 4, Datecode: '20200811' }, 'no_value'],
  ['r718pe', { Cmd: 'ReadConfigReportRsp', Device: 'R718PE', DistanceChange: 100 }, 'no_value'],
];

describe('a built-in profile', () => {
  it.each(CASES)('%s: %j is %s', async (...given) => {
    const [profile_id, object, outcome, battery = null, temperature = null] = given;
    const isFromBelow = ['em500-swl', 'em500-swl-tts', 'df530'].includes(profile_id);
    const calibration = isFromBelow ? { ...TO_THE_TOP, empty: 0, full: 2000 } : TO_THE_TOP;
    await manager.put('/v1/tanks/a/sensor').send({ profile_id, calibration }).expect(200);

    const { reason, fill_percentage: fill } = await outcomeOf(manager, chirpStack({ object }));

    expect(reason ?? fill).toBe(outcome);
    const { body } = await manager.get('/v1/tanks/a/sensor').expect(200);
    expect(body).toMatchObject({
      last_uplink: { battery_percent: battery, temperature_celsius: temperature },
    });
  });

  it('is checked, each of them', async () => {
    const { rows } = await sql.query<{ id: string }>('select id from sensor_profiles');

    expect(new Set(CASES.map(([id]) => id))).toEqual(new Set(rows.map(({ id }) => id)));
  });
});
