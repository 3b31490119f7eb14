// Sensor profiles and the sensors of tanks: reading, writing, what is refused, and who may.
import { describe, expect, it } from '@jest/globals';
import { problem } from '../support/problems.js';
import { CALIBRATION, chirpStack, faultsOf, outcomeOf, send, startSensors } from '../support/uplinks.js';

const service = await startSensors();
const { sql, manager, ours } = service;

const EM400 = {
  id: 'em400-udl',
  object: 'sensor_profile',
  name: 'Milesight EM400-UDL / EM400-TLD / EM400-MUD',
  created_at: expect.any(String),
  updated_at: expect.any(String),
  level: { path: 'distance', unit: 'mm' },
  battery: { path: 'battery' },
  temperature: { path: 'temperature' },
  reject_when: [{ path: 'position', equals: 'tilt' }],
};

const MINE = { name: 'My sensor', level: { path: 'a.0.b', unit: 'in' } };
const shown = (id: string, more: object = {}): object => ({
  id,
  object: 'sensor_profile',
  created_at: expect.any(String),
  updated_at: expect.any(String),
  ...MINE,
  battery: null,
  temperature: null,
  reject_when: [],
  ...more,
});

const put = (id: string, body: object, agent = manager) => agent.put(`/v1/sensor_profiles/${id}`).send(body);
const patch = (id: string, body: object, agent = manager) =>
  agent.patch(`/v1/sensor_profiles/${id}`).send(body);
const etagOf = async (path: string): Promise<string> =>
  (await manager.get(path).expect(200)).headers['etag'] ?? '';

/** Why it is refused. */
const faults = async (answer: ReturnType<typeof put>) => faultsOf((await answer.expect(400)).body);

/** A table of a calibration, such as `0:0 50:60`. */
const points = (text: string) => text.split(' ').map((point) => point.split(':').map(Number));

describe('the profiles', () => {
  it('that come with the service are listed, as everything is', async () => {
    const { body } = await service.api.get('/v1/sensor_profiles?size=100').expect(200);

    const { data } = body as { data: { id: string }[] };
    expect(body).toMatchObject({ object: 'list', total_items: 12, total_pages: 1 });
    expect(data.find(({ id }) => id === 'em400-udl')).toStrictEqual(EM400);
  });

  it('are read one by one, with any key', async () => {
    expect((await ours.get('/v1/sensor_profiles/em400-udl').expect(200)).body).toStrictEqual(EM400);
    expect((await service.api.get('/v1/sensor_profiles/none').expect(404)).body).toEqual(
      problem(404, 'not_found', 'There is no sensor profile with this id.'),
    );
    await service.api.get('/v1/sensor_profiles/%00').expect(404);
  });
});

describe('PUT of a profile', () => {
  it('creates it, then changes nothing, then replaces it', async () => {
    const created = await put('my-1', MINE).expect(201);
    expect(created.body).toStrictEqual(shown('my-1'));
    expect(created.headers['etag']).toBe(await etagOf('/v1/sensor_profiles/my-1'));

    const same = await put('my-1', MINE).expect(200);
    expect(same.body).toStrictEqual(created.body);

    const full = {
      ...MINE,
      battery: { path: 'b' },
      temperature: { path: 't' },
      reject_when: [
        { path: 'x', equals: 0 },
        { path: 'y', equals: '' },
        { path: 'z', equals: false },
      ],
    };
    const { body } = await put('my-1', full).expect(200);
    expect(body).toStrictEqual(shown('my-1', full));
    const { updated_at: before } = created.body as { updated_at: string };
    expect(Date.parse((body as { updated_at: string }).updated_at)).toBeGreaterThan(Date.parse(before));
    expect((await put('my-1', MINE).expect(200)).body).toStrictEqual(shown('my-1'));
  });

  it('names every wrong field at once, in their order, unknown ones last', async () => {
    const mistakes = put('my-1', {
      colour: 'red',
      id: 'other',
      object: 'profile',
      created_at: 'x',
      level: { path: 'a..b', unit: 'yd', uint: 'mm' },
      battery: 'battery',
      temperature: { path: '' },
      reject_when: [{ path: 'a', equals: null }, { path: 'x'.repeat(201), equals: 1, not: 2 }, 5],
    });

    expect(Object.entries(await faults(mistakes))).toEqual([
      ['/id', 'id must be that of the address: "other"'],
      ['/object', 'object must be sensor_profile: "profile"'],
      ['/name', 'name is missing'],
      ['/created_at', expect.stringContaining('created_at must be a datetime')],
      ['/level/path', 'level.path must be keys joined by dots, none of them empty: "a..b"'],
      ['/level/unit', 'level.unit must be one of percent, mm, cm, m, in, ft, raw: "yd"'],
      ['/battery', 'battery must be an object or null: "battery"'],
      ['/temperature/path', 'temperature.path must not be empty'],
      ['/reject_when/0/equals', 'reject_when.0.equals must be a string, a number or a boolean: null'],
      ['/reject_when/1/path', 'reject_when.1.path is longer than 200 characters'],
      ['/reject_when/2', 'reject_when.2 must be an object: 5'],
      ['/level/uint', 'unknown field: "level.uint"; did you mean level.unit?'],
      ['/reject_when/1/not', expect.stringContaining('unknown field')],
      ['/colour', expect.stringContaining('unknown field')],
    ]);
    await manager.get('/v1/sensor_profiles/my-1').expect(404);
  });

  it.each([
    [{ ...MINE, name: '' }, '/name'],
    [{ name: 'x' }, '/level'],
    [{ ...MINE, level: { path: 'a' } }, '/level/unit'],
    [{ ...MINE, reject_when: null }, '/reject_when'],
    [{ ...MINE, reject_when: Array.from({ length: 21 }, () => ({ path: 'a', equals: 1 })) }, '/reject_when'],
    [{ ...MINE, reject_when: [{ path: 'a', equals: '\ud800' }] }, '/reject_when/0/equals'],
  ])('refuses %j', async (body, pointer) => {
    expect(Object.keys(await faults(put('my-1', body)))).toEqual([pointer]);
  });

  it('is refused to a bound key, whatever it sends', async () => {
    for (const answer of [
      put('my-1', {}, ours),
      put('ours', {}, ours), // the id of its customer
      patch('em400-udl', {}, ours),
      ours.delete('/v1/sensor_profiles/none'),
    ]) {
      expect((await answer.expect(403)).body).toMatchObject({ code: 'bound_key' });
    }
  });
});

describe('PATCH of a profile', () => {
  it('refuses what leaves no profile, what is unknown, and what is not there', async () => {
    await put('my-1', MINE).expect(201);

    const mistakes = { name: null, level: { path: null, pth: null, uint: 1 }, colour: null };
    expect(await faults(patch('my-1', mistakes))).toEqual({
      '/name': 'name must be a string: null',
      '/level/path': 'level.path must be a string: null',
      '/colour': expect.stringContaining('unknown field'),
      '/level/pth': expect.stringContaining('unknown field'),
      '/level/uint': expect.stringContaining('unknown field'),
    });
    await patch('none', { name: 'x' }).expect(404);
    await patch('none', { name: 5 }).expect(400);
    await patch('%00', { name: 'x' }).expect(404);
  });
});

describe('DELETE of a profile', () => {
  it('is for good', async () => {
    await put('my-1', MINE).expect(201);

    expect((await manager.delete('/v1/sensor_profiles/my-1').expect(200)).body).toStrictEqual({
      id: 'my-1',
      object: 'sensor_profile',
      deleted: true,
    });
    await manager.delete('/v1/sensor_profiles/my-1').expect(404);
    await put('my-1', MINE).expect(201);
  });

  it('is refused while a live tank uses it, and takes the sensors of deleted ones along', async () => {
    await put('my-1', MINE).expect(201);
    await manager.put('/v1/tanks/b/sensor').send({ profile_id: 'my-1' }).expect(201);

    expect((await manager.delete('/v1/sensor_profiles/my-1').expect(409)).body).toMatchObject({
      code: 'profile_in_use',
    });

    await sql.query(`update tanks set deleted = true where id = 'b'`);
    await manager.delete('/v1/sensor_profiles/my-1').expect(200);
    await sql.query(`update tanks set deleted = false where id = 'b'`);
    await manager.get('/v1/tanks/b/sensor').expect(404);
  });
});

const sensorPath = (tank: string) => `/v1/tanks/${tank}/sensor`;
const putSensor = (tank: string, body: object, agent = manager) => agent.put(sensorPath(tank)).send(body);
const sensor = (more: object = {}): object => ({
  object: 'sensor',
  tank_id: 'b',
  profile_id: 'em400-udl',
  calibration: null,
  last_uplink: null,
  ...more,
});

/** Lists the profile of a tank's sensor. */
const profilesOf = async (tank: string, agent = manager) => {
  const { body } = await agent.get(`/v1/sensor_profiles?tank_id=${tank}`).expect(200);
  return (body as { data: { id: string }[] }).data.map(({ id }) => id);
};

describe('the sensor of a tank', () => {
  it('is set, read, changed and taken away', async () => {
    await manager.get(sensorPath('b')).expect(404);

    const created = await putSensor('b', { profile_id: 'em400-udl' }).expect(201);
    expect(created.body).toStrictEqual(sensor());
    expect(created.headers['etag']).toBe(await etagOf(sensorPath('b')));
    expect(
      (await putSensor('b', { profile_id: 'em400-udl', calibration: null }).expect(200)).body,
    ).toStrictEqual(sensor());

    const calibration = { empty: 1600, full: 150, unit: 'mm', shape: 'horizontal_cylinder' };
    const { body } = await putSensor('b', { profile_id: 'df530', calibration }).expect(200);
    expect(body).toStrictEqual(sensor({ profile_id: 'df530', calibration }));
    expect((await service.api.get(sensorPath('b')).expect(200)).body).toStrictEqual(body);
    expect((await putSensor('b', body as object).expect(200)).body).toStrictEqual(body);

    expect((await manager.delete(sensorPath('b')).expect(200)).body).toStrictEqual({
      object: 'sensor',
      tank_id: 'b',
      deleted: true,
    });
    await manager.get(sensorPath('b')).expect(404);
    await manager.delete(sensorPath('b')).expect(404);
  });

  it.each([
    [{ empty: 0, full: 2.5, unit: 'm' }, { shape: 'upright' }],
    [{ shape: 'sphere', unit: 'percent', full: 90, empty: 10 }, {}],
    [{ table: points('100:0 50:60 0:100'), unit: 'cm' }, {}],
    [{ table: points('0:50 1:50'), unit: 'in' }, {}],
    [{ table: Array.from({ length: 200 }, (_, i) => [i / 10, i / 2]), unit: 'ft' }, {}],
  ])('may be calibrated by %j', async (calibration, more) => {
    const { body } = await putSensor('b', { profile_id: 'em400-udl', calibration }).expect(201);

    expect(body).toStrictEqual(sensor({ calibration: { ...calibration, ...more } }));
  });

  it.each([
    [{}, { '/profile_id': 'profile_id is missing' }],
    [{ profile_id: 'none' }, { '/profile_id': 'there is no such profile: "none"' }],
    [
      { profile_id: 5, calibration: 5, kind: 1 },
      {
        '/profile_id': 'profile_id must be a string: 5',
        '/calibration': 'calibration must be an object or null: 5',
        '/kind': expect.any(String),
      },
    ],
    [
      { profile_id: 'df530', object: 'tank', tank_id: 'a' },
      { '/object': expect.any(String), '/tank_id': expect.any(String) },
    ],
    [
      { profile_id: 5, calibration: { table: points('1:50 1:50'), unit: 'mm' } },
      { '/profile_id': expect.any(String), '/calibration/table': expect.any(String) },
    ],
  ])('is refused: %j', async (body, expected) => {
    expect(await faults(putSensor('b', body))).toEqual(expected);
  });

  it.each([
    [{}, ['/calibration/empty', '/calibration/full', '/calibration/unit']],
    [{ empty: 5, full: 5, unit: 'mm' }, ['/calibration/full']],
    [{ empty: '5', full: 1, unit: 'mm' }, ['/calibration/empty']],
    [{ empty: 5, full: 1, unit: 'yd', shape: 'cone' }, ['/calibration/unit', '/calibration/shape']],
    [{ empty: 5, full: 1, unit: 'mm', height: 5 }, ['/calibration/height']],
    [{ table: points('0:0 1:100'), unit: 'mm', empty: 1 }, ['/calibration/empty']],
    [{ table: [[0, 0]], unit: 'mm' }, ['/calibration/table']],
    [{ table: Array.from({ length: 201 }, (_, i) => [i, 0]), unit: 'mm' }, ['/calibration/table']],
    [{ table: 'x', unit: 'mm' }, ['/calibration/table']],
    [{ table: [[0, 0], [1, 101], [2]], unit: 'mm' }, ['/calibration/table/1/1', '/calibration/table/2']],
    [{ table: points('0:-1 1:5') }, ['/calibration/table/0/1', '/calibration/unit']],
    [{ table: [...points('0:0'), ['1', 5]], unit: 'mm' }, ['/calibration/table/1/0']],
    [{ table: points('0:0 0:1'), unit: 'mm' }, ['/calibration/table']],
    [{ table: points('0:0 2:1 1:2'), unit: 'mm' }, ['/calibration/table']],
    [{ table: points('0:0 1:50 2:40'), unit: 'mm' }, ['/calibration/table']],
    [[], ['/calibration']],
  ])('is not calibrated by %j', async (calibration, pointers) => {
    const found = await faults(putSensor('b', { profile_id: 'em400-udl', calibration }));

    expect(Object.keys(found)).toEqual(pointers);
    await manager.get(sensorPath('b')).expect(404);
  });

  it('is found by the profile it has, without a 404 where there is none', async () => {
    await putSensor('c', { profile_id: 'df530' }).expect(201);

    expect(await profilesOf('a')).toEqual(['em400-udl']);
    expect(await profilesOf('b')).toEqual([]);
    expect(await profilesOf('none')).toEqual([]);
    expect(await profilesOf('c')).toEqual(['df530']);
    expect(await profilesOf('c', ours)).toEqual([]);
  });

  it('stays with its tank when that is deleted and restored', async () => {
    const { body: before } = await manager.get(sensorPath('a')).expect(200);
    await sql.query(`update tanks set deleted = true where id = 'a'`);
    await manager.get(sensorPath('a')).expect(404);
    await sql.query(`update tanks set deleted = false where id = 'a'`);

    expect((await manager.get(sensorPath('a')).expect(200)).body).toEqual(before);
  });

  it('a new calibration changes no stored reading, and keeps what was said', async () => {
    await send(manager, chirpStack()).expect(200);

    const { body } = await putSensor('a', {
      profile_id: 'em400-udl',
      calibration: { ...CALIBRATION, empty: 2000 },
    }).expect(200);

    expect(body).toMatchObject({ last_uplink: { fill_percentage: 50 } });
    expect((await manager.get('/v1/tanks/a/telemetry').expect(200)).body).toMatchObject({
      data: [{ fill_percentage: 50 }],
    });
    expect(await outcomeOf(manager, chirpStack({ time: '2026-02-03T13:00:00Z' }))).toMatchObject({
      fill_percentage: 64.29,
    });
  });
});
