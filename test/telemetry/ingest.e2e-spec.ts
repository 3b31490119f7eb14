// POST /v1/telemetry: what becomes of readings, what refuses them, and what is stored and answered.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ReadingsRefused as Refused } from 'tank-monitoring-client';
import { startService } from '../support/app.js';
import { insertReadings } from '../support/builders.js';
import {
  byDevice,
  counts,
  insertFleet,
  NOON,
  ONE,
  post,
  reading,
  result,
  send,
  stored,
} from '../support/ingest.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql } = service;
const key = await service.createKey({ scopes: ['telemetry:write'] });
const sender = service.agent(key);

beforeEach(() => insertFleet(sql));

describe('a request of good readings', () => {
  it('is stored and counted', async () => {
    const { body, headers } = await send(sender, [reading('a'), reading('b', ONE, 0)]).expect(200);

    expect(body).toStrictEqual(result({ created: 2 }));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['etag']).toBeUndefined();
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 50, [`b ${ONE}`]: 0 });
    const { body: list } = await service.api.get('/v1/tanks/a/telemetry').expect(200);
    expect(list).toMatchObject({ total_items: 1, data: [{ created_at: NOON, fill_percentage: 50 }] });
  });

  it('says what was created, updated and unchanged', async () => {
    await insertReadings(sql, 'a', [
      { created_at: NOON, fill_percentage: 10 },
      { created_at: ONE, fill_percentage: 20 },
    ]);

    const { body } = await send(sender, [reading('a', NOON, 10), reading('a', ONE, 21), reading('b')]).expect(
      200,
    );

    expect(body).toStrictEqual(result({ created: 1, updated: 1, unchanged: 1 }));
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 10, [`a ${ONE}`]: 21, [`b ${NOON}`]: 50 });
  });

  it('keeps the last of several for one tank and instant, however spelt or addressed', async () => {
    const { body } = await send(sender, [
      reading('a', NOON, 1),
      { device_id: 'device-a', created_at: '2026-02-03T13:00:00+01:00', fill_percentage: 2 },
      reading('a', '2026-02-03T12:00:00.0009Z', 3),
      reading('a', '2026-02-03T12:00', 4),
    ]).expect(200);

    expect(body).toStrictEqual(result({ created: 1, superseded: 3 }));
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 4 });
  });

  it('does not let a refused one supersede a good one', async () => {
    const { body } = await send(sender, [reading('a', NOON, 1), reading('a', NOON, 101)]).expect(400);

    expect(body).toMatchObject(counts({ created: 1, refused: 1 }));
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 1 });
  });

  it.each([
    ['100', 100],
    ['-0', 0],
    ['1e1', 10],
    ['33.333333333333336', 33.333333333333336],
  ])('stores a fill of %s', async (written, fill) => {
    const line = `{"tank_id":"a","created_at":"${NOON}","fill_percentage":${written}}`;
    await post(sender, `{"readings":[${line}]}`).expect(200);

    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: fill });
  });

  it('may be of any past, and up to 5 minutes ahead', async () => {
    const soon = new Date(Date.now() + 4 * 60_000).toISOString();

    const { body } = await send(sender, [reading('a', '0001-01-01T00:00:00Z'), reading('a', soon)]).expect(
      200,
    );

    expect(body).toStrictEqual(result({ created: 2 }));
  });

  it('means the live tank that has the device now, whatever the time of the reading', async () => {
    await sql.query(`update tanks set assigned_device_id = 'device-b' where id = 'gone'`);

    await send(sender, [byDevice('device-b', '2001-01-01T00:00:00Z', 5)]).expect(200);

    expect(await stored(sql)).toEqual({ 'b 2001-01-01T00:00:00.000Z': 5 });
  });
});

const NO_DATETIME = 'created_at must be a datetime such as 2026-01-31T08:15:30Z:';

/** Where the refused readings were, and why. */
const codesOf = ({ errors }: Refused) => errors.map(({ index, code }) => [index, code]);

describe('a refused reading', () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  it.each([
    ['malformed_reading', 'a reading must be a JSON object: 7', 7],
    ['unknown_field', 'unknown field: "fill_percent"; did you mean fill_percentage?', { fill_percent: 1 }],
    [
      'unknown_field',
      'unknown field: "deleted"; there are: tank_id, device_id, created_at, fill_percentage, object',
      { ...reading('a'), deleted: null },
    ],
    ['missing_field', 'tank_id or device_id is missing', { created_at: 7, fill_percentage: 'x' }],
    ['missing_field', 'created_at is missing', { ...reading('a'), created_at: null, fill_percentage: -1 }],
    ['missing_field', 'fill_percentage is missing', { tank_id: 'nothing', created_at: NOON }],
    ['invalid_value', 'give tank_id or device_id, not both', { ...reading('a'), device_id: 'device-a' }],
    ['invalid_value', 'tank_id must be a string: 7', { ...reading('a'), tank_id: 7 }],
    ['invalid_value', 'tank_id must not be empty', reading('')],
    ['invalid_value', 'device_id must not be empty', { ...reading('a'), tank_id: null, device_id: '' }],
    ['invalid_value', `${NO_DATETIME} "2026-02-03"`, reading('a', '2026-02-03')],
    ['invalid_value', `${NO_DATETIME} 1767225600`, { ...reading('a'), created_at: 1767225600 }],
    ['invalid_value', 'fill_percentage must be a number: "50"', reading('a', NOON, '50')],
    ['invalid_value', 'fill_percentage must be from 0 to 100: 100.01', reading('a', NOON, 100.01)],
    ['invalid_value', 'fill_percentage must be from 0 to 100: -0.1', reading('a', NOON, -0.1)],
    ['invalid_value', 'object must be telemetry: "tank"', { ...reading('a'), object: 'tank' }],
    [
      'in_the_future',
      `created_at is more than 5 minutes ahead of our clock: "${soon}"`,
      reading('nothing', soon),
    ],
    ['unknown_tank', 'there is no tank with this id: "nothing"', reading('nothing')],
    ['unknown_tank', String.raw`there is no tank with this id: "a\u0000"`, reading('a\0')],
    ['unknown_tank', String.raw`there is no tank with this id: "a\ud800"`, reading('a\ud800')],
    ['unknown_device', 'no tank has this device: "a"', byDevice('a')],
    ['unknown_device', 'no tank has this device: "device-gone"', byDevice('device-gone')],
    [
      'ambiguous_device',
      'several tanks have this device, send the tank_id instead: "twins"',
      byDevice('twins'),
    ],
    ['deleted_tank', 'this tank is deleted: "gone"', reading('gone')],
  ])('is told as %s: %s', async (code, detail, refused) => {
    const { body } = await send(sender, [reading('b'), refused]).expect(400);

    expect(body).toStrictEqual({
      ...problem(
        400,
        'readings_refused',
        '1 reading was stored, 1 reading was refused: errors says why. Fix those and send them again.',
      ),
      ...counts({ created: 1, refused: 1 }),
      errors: [{ index: 1, code, detail }],
    });
    expect(await stored(sql)).toEqual({ [`b ${NOON}`]: 50 });
  });

  it('does not hold up good ones, and is told with its index', async () => {
    const { body } = await send(sender, [
      reading('nothing'),
      reading('a'),
      7,
      byDevice('twins'),
      reading('b'),
      reading('nothing', ONE),
    ]).expect(400);

    const refused = body as Refused;
    expect(codesOf(refused)).toEqual([
      [0, 'unknown_tank'],
      [2, 'malformed_reading'],
      [3, 'ambiguous_device'],
      [5, 'unknown_tank'],
    ]);
    expect(refused).toMatchObject(counts({ created: 2, refused: 4 }));
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 50, [`b ${NOON}`]: 50 });
  });

  it('is told among the first 100, in order, and all are counted', async () => {
    const readings = Array.from({ length: 300 }, (_, i) =>
      i % 2 === 0 ? 7 : reading('nothing', new Date(i).toISOString()),
    );

    const refused = (await send(sender, readings).expect(400)).body as Refused;

    expect(refused.refused).toBe(300);
    expect(refused.errors.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('may be one bad line of NDJSON: empty lines do not count', async () => {
    const good = JSON.stringify(reading('a'));

    const { body } = await post(sender, `\n${good}\n\n{"tank_id": \n7\n{}\n`, {
      type: 'application/x-ndjson',
    }).expect(400);

    const refused = body as Refused;
    expect(codesOf(refused)).toEqual([
      [1, 'malformed_reading'],
      [2, 'malformed_reading'],
      [3, 'missing_field'],
    ]);
    expect(refused).toMatchObject(counts({ created: 1, refused: 3 }));
  });

  it('may be one bad line of CSV: the header does not count', async () => {
    const lines = [
      'tank_id,device_id,created_at,fill_percentage',
      `a,,${NOON},1`,
      `"a,,${NOON},1`,
      `a,${NOON},1`,
      `,,${NOON},1`,
      `a,,${NOON},`,
      `a,,${NOON},0x10`,
    ];

    const { body } = await post(sender, lines.join('\n'), { type: 'text/csv' }).expect(400);

    const refused = body as Refused;
    expect(codesOf(refused)).toEqual([
      [1, 'malformed_reading'],
      [2, 'malformed_reading'],
      [3, 'missing_field'],
      [4, 'missing_field'],
      [5, 'invalid_value'],
    ]);
    expect(refused).toMatchObject(counts({ created: 1, refused: 5 }));
  });

  it('is short in its detail, however long it was', async () => {
    const long = (await send(sender, [reading('x'.repeat(100_000))]).expect(400)).body as Refused;
    expect(long.errors[0]?.detail.length).toBeLessThan(120);
  });
});

describe('?atomic=true', () => {
  it.each([
    ['is wrong in itself', 7],
    ['is of an unknown tank', reading('nothing')],
    ['is of a deleted tank', reading('gone')],
  ])('stores nothing when one reading %s', async (_, bad) => {
    await insertReadings(sql, 'a', [{ created_at: ONE, fill_percentage: 1 }]);

    const readings = [reading('a'), reading('a'), reading('a', ONE, 2), bad];
    const { body } = await send(sender, readings, { query: '?atomic=true' }).expect(400);

    const detail = expect.stringContaining('0 readings were stored, 1 reading was refused');
    expect(body).toMatchObject({ code: 'readings_refused', detail, ...counts({ refused: 1 }) });
    expect(await stored(sql)).toEqual({ [`a ${ONE}`]: 1 });
  });
});

const bound = async () =>
  service.agent(await service.createKey({ customerId: 'ours', scopes: ['telemetry:write'] }));

describe('a key bound to a customer', () => {
  it("cannot tell another's tank or device from one that does not exist", async () => {
    const unknown = [reading('c'), reading('their-gone'), byDevice('device-c')];

    const { body } = await send(await bound(), unknown).expect(400);

    const codes = (body as Refused).errors.map(({ code }) => code);
    expect(codes).toEqual(['unknown_tank', 'unknown_tank', 'unknown_device']);
    expect(await stored(sql)).toEqual({});
  });

  it('is judged among its own tanks: only they make a device ambiguous', async () => {
    const shared = byDevice('shared', NOON, 1);

    await send(await bound(), [shared]).expect(200);
    expect(await stored(sql)).toEqual({ [`half ${NOON}`]: 1 });
    const { body } = await send(sender, [shared]).expect(400);
    expect((body as Refused).errors[0]?.code).toBe('ambiguous_device');
  });
});
