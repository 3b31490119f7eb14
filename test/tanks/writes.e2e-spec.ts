// Tanks that are created, replaced, changed, deleted and restored over HTTP.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertReadings, insertTank } from '../support/builders.js';
import {
  fieldsProblem,
  FULL_TANK,
  NEW_TANK,
  NOWHERE,
  outcomeOf,
  pointersOf,
  tagOf,
} from '../support/manage.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EUI = '0016C001F000175A';

const shown = (fields: object, id: unknown = 't') => ({
  id,
  object: 'tank',
  assigned_device_id: '',
  capacity: 0,
  capacity_unit: 'liters',
  created_at: INSTANT,
  custom_id: null,
  location: NOWHERE,
  min_fill_alert_percentage: 20,
  name: '',
  owner_id: 'ours',
  updated_at: INSTANT,
  use_case: null,
  ...fields,
});
const rows = async () => (await sql.query(`select *, xmin from tanks order by id`)).rows as unknown[];
const updatedAt = async (id = 't') =>
  ((await api.get(`/v1/tanks/${id}`)).body as { updated_at: string }).updated_at;

beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'ours' });
  await insertCustomer(sql, { id: 'theirs' });
  await insertCustomer(sql, { id: 'gone', deleted: true });
});

describe('POST /v1/tanks', () => {
  it('creates a tank under a new id, tells where it is, and answers as a GET does', async () => {
    const before = Date.now();
    const created = await api.post('/v1/tanks').send(NEW_TANK).expect(201);

    const { id, created_at, updated_at } = created.body as Record<string, string>;
    expect(created.body).toEqual(shown(NEW_TANK, expect.stringMatching(UUID_V7)));
    expect(created.headers['location']).toBe(`/v1/tanks/${id}`);
    expect(updated_at).toBe(created_at);
    expect(Math.abs(Date.parse(created_at ?? '') - before)).toBeLessThan(60_000);
    const got = await api.get(`/v1/tanks/${id}`).expect(200);
    expect(got.text).toBe(created.text);
    expect(tagOf(got)).toBe(tagOf(created));
  });

  it('keeps every field as it was sent', async () => {
    const { body } = await api.post('/v1/tanks').send(FULL_TANK).expect(201);

    expect(body).toEqual(shown(FULL_TANK, expect.stringMatching(UUID_V7)));
  });

  it('makes another tank each time', async () => {
    await api.post('/v1/tanks').send(NEW_TANK).expect(201);
    await api.post('/v1/tanks').send(NEW_TANK).expect(201);

    expect((await api.get('/v1/tanks')).body).toMatchObject({ total_items: 2 });
    expect((await api.get('/v1/fleet')).body).toMatchObject({ tanks: 2, never_reported: 2 });
    expect((await api.get('/v1/customers/ours')).body).toMatchObject({ tank_count: 2 });
  });

  it('takes a created_at of the past, and of the next five minutes', async () => {
    const soon = new Date(Date.now() + 290_000).toISOString();
    for (const created_at of ['0001-01-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z', soon]) {
      const { body } = await api
        .post('/v1/tanks')
        .send({ ...NEW_TANK, created_at })
        .expect(201);
      expect(body).toMatchObject({ created_at });
    }
    const offset = { ...NEW_TANK, created_at: '2020-01-01T02:00:00.1239+02:00' };
    expect((await api.post('/v1/tanks').send(offset)).body).toMatchObject({
      created_at: '2020-01-01T00:00:00.123Z',
    });
    const late = { ...NEW_TANK, created_at: new Date(Date.now() + 320_000).toISOString() };
    expect((await api.post('/v1/tanks').send(late).expect(400)).body).toEqual(
      fieldsProblem({
        pointer: '/created_at',
        detail: `created_at is more than 5 minutes ahead of our clock: "${late.created_at}"`,
      }),
    );
  });

  it('names all that is wrong at once, in the order of the fields, unknown ones last', async () => {
    const wrong = {
      zebra: 1,
      use_case: 'x',
      owner_id: 7,
      name: null,
      min_fill_alert_percentage: 101,
      location: { latitude: 91, town: 1, city: 5 },
      custom_id: 1,
      created_at: '2026-01-31',
      capacity_unit: 'pints',
      capacity: '1',
      assigned_device_id: 'x'.repeat(256),
      object: 'customer',
      id: 'mine',
      deleted: true,
      capactiy: 1,
    };
    const { body, ...rest } = await api.post('/v1/tanks').send(wrong).expect(400);

    expect(pointersOf({ body, ...rest } as never)).toEqual([
      '/id',
      '/object',
      '/assigned_device_id',
      '/capacity',
      '/capacity_unit',
      '/created_at',
      '/custom_id',
      '/location/city',
      '/location/latitude',
      '/min_fill_alert_percentage',
      '/name',
      '/owner_id',
      '/use_case',
      '/deleted',
      '/location/town',
      '/zebra',
      '/capactiy',
    ]);
    const { errors } = body as { errors: { detail: string }[] };
    expect(errors.at(-1)?.detail).toBe('unknown field: "capactiy"; did you mean capacity?');
    expect(await rows()).toEqual([]);
  });

  it('names a hundred wrong fields at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, i]));
    const answer = await api
      .post('/v1/tanks')
      .send({ ...many, name: 1 })
      .expect(400);

    expect(pointersOf(answer)).toHaveLength(100);
    expect(pointersOf(answer).slice(0, 5)).toEqual([
      '/capacity',
      '/capacity_unit',
      '/name',
      '/owner_id',
      '/f0',
    ]);
  });

  it.each([
    ['nobody', '"nobody"'],
    ['gone', '"gone"'],
    ['', '""'],
  ])('wants an owner that is there: %j is none', async (owner_id, quoted) => {
    const { body } = await api
      .post('/v1/tanks')
      .send({ ...NEW_TANK, owner_id })
      .expect(400);

    expect(body).toEqual(fieldsProblem({ pointer: '/owner_id', detail: `unknown owner: ${quoted}` }));
  });

  it('takes what was read but for its id, and ignores what the service counts', async () => {
    const read = { object: 'tank', updated_at: 'whatever', deleted: false };
    const { body } = await api
      .post('/v1/tanks')
      .send({ ...NEW_TANK, ...read })
      .expect(201);

    expect(body).toEqual(shown(NEW_TANK, expect.stringMatching(UUID_V7)));
    const { body: refused } = await api
      .post('/v1/tanks')
      .send({ ...NEW_TANK, id: 'x', tank_count: 1 })
      .expect(400);
    expect(refused).toMatchObject({ errors: [{ pointer: '/id' }, { pointer: '/tank_count' }] });
  });
});

describe('PUT /v1/tanks/:id', () => {
  it('creates with 201, then changes nothing with 200, and leaves no trace of that', async () => {
    const created = await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);
    expect(created.body).toEqual(shown(FULL_TANK));
    const before = await rows();

    const again = await api.put('/v1/tanks/t').send(FULL_TANK).expect(200);

    expect(again.text).toBe(created.text);
    expect(tagOf(again)).toBe(tagOf(created));
    expect(await rows()).toEqual(before);
  });

  it('takes back whatever a GET showed', async () => {
    await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);
    const { body, text } = await api.get('/v1/tanks/t').expect(200);
    const before = await rows();

    const again = await api
      .put('/v1/tanks/t')
      .send(body as object)
      .expect(200);

    expect(again.text).toBe(text);
    expect(await rows()).toEqual(before);
  });

  it('replaces: what is left out gets its default', async () => {
    await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);

    const { body } = await api
      .put('/v1/tanks/t')
      .send({ ...NEW_TANK, location: { city: 'Oslo' } })
      .expect(200);

    expect(body).toEqual(shown({ ...NEW_TANK, location: { ...NOWHERE, city: 'Oslo' } }));
  });

  it('takes null for a location of which nothing is known, as POST does', async () => {
    const nowhere = { ...NEW_TANK, location: null };
    await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);

    const { body } = await api.put('/v1/tanks/t').send(nowhere).expect(200);

    expect(body).toEqual(shown(NEW_TANK));
    const posted = await api.post('/v1/tanks').send(nowhere).expect(201);
    expect(posted.body).toEqual(shown(NEW_TANK, expect.stringMatching(UUID_V7)));
    for (const location of [5, [], 'x', true]) {
      const refused = await api
        .put('/v1/tanks/t')
        .send({ ...NEW_TANK, location })
        .expect(400);
      const detail = `location must be an object or null: ${JSON.stringify(location)}`;
      expect(refused.body).toEqual(fieldsProblem({ pointer: '/location', detail }));
    }
  });

  it('restores a deleted one with 201, with its readings and its created_at', async () => {
    const created = await api.put('/v1/tanks/t').send(NEW_TANK).expect(201);
    await insertReadings(sql, 't', [{ created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 50 }]);
    await api.delete('/v1/tanks/t').expect(200);

    const restored = await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);

    const { created_at } = created.body as { created_at: string };
    expect(restored.body).toEqual(shown({ ...FULL_TANK, created_at }));
    expect((await api.get('/v1/tanks')).body).toMatchObject({ total_items: 1 });
    expect((await api.get('/v1/tanks/t/telemetry')).body).toMatchObject({ total_items: 1 });
    expect((await api.get('/v1/fleet/tanks/t')).body).toMatchObject({ fill_percentage: 50 });
  });

  it('keeps created_at, which may be sent only as it is', async () => {
    const created_at = '2025-01-01T00:00:00.000Z';
    await api
      .put('/v1/tanks/t')
      .send({ ...NEW_TANK, created_at })
      .expect(201);
    const same = { ...NEW_TANK, name: 'x', created_at: '2025-01-01T01:00:00+01:00' };
    expect((await api.put('/v1/tanks/t').send(same).expect(200)).body).toMatchObject({ created_at });

    const refused = fieldsProblem({
      pointer: '/created_at',
      detail: `created_at must stay as it is: ${created_at}`,
    });
    const other = { ...NEW_TANK, created_at: '2025-01-01T00:00:00.001Z' };
    expect((await api.put('/v1/tanks/t').send(other).expect(400)).body).toEqual(refused);
    await api.delete('/v1/tanks/t').expect(200);
    expect((await api.put('/v1/tanks/t').send(other).expect(400)).body).toEqual(refused);
    expect(
      (
        await api
          .put('/v1/tanks/t')
          .send({ ...NEW_TANK, created_at })
          .expect(201)
      ).body,
    ).toMatchObject({
      created_at,
    });
  });

  it('takes an imported created_at of the future as it is, and no new one', async () => {
    const created_at = new Date(Date.now() + 3_600_000).toISOString();
    await insertTank(sql, 'ours', { id: 't', created_at });
    await api
      .put('/v1/tanks/t')
      .send({ ...NEW_TANK, created_at })
      .expect(200);
    const answer = await api
      .put('/v1/tanks/new')
      .send({ ...NEW_TANK, created_at, owner_id: 'x' })
      .expect(400);
    expect(pointersOf(answer)).toEqual(['/created_at', '/owner_id']);
  });

  it.each(['a b', 'ä/ö?#', '%', '..', 'x'.repeat(255), '🛢'.repeat(255), '-', '00'])(
    'takes any id of 1 to 255 characters: %j',
    async (id) => {
      const address = `/v1/tanks/${encodeURIComponent(id).replaceAll('.', '%2E')}`;
      expect(
        (
          await api
            .put(address)
            .send({ ...NEW_TANK, id })
            .expect(201)
        ).body,
      ).toEqual(shown(NEW_TANK, id));
      expect((await api.get(address).expect(200)).body).toMatchObject({ id });
    },
  );

  it('refuses an id that cannot be one, with whatever else is wrong', async () => {
    const long = await api
      .put(`/v1/tanks/${'x'.repeat(256)}`)
      .send({ ...NEW_TANK, name: 1 })
      .expect(400);
    expect(long.body).toEqual(
      fieldsProblem(
        { pointer: '/id', detail: 'id is longer than 255 characters' },
        { pointer: '/name', detail: 'name must be a string: 1' },
      ),
    );
    const nul = await api.put('/v1/tanks/a%00b').send(NEW_TANK).expect(400);
    expect(nul.body).toEqual(fieldsProblem({ pointer: '/id', detail: 'id holds a NUL character' }));
    const other = await api
      .put('/v1/tanks/t')
      .send({ ...NEW_TANK, id: 'u' })
      .expect(400);
    expect(other.body).toEqual(
      fieldsProblem({ pointer: '/id', detail: 'id must be that of the address: "u"' }),
    );
  });

  it('wants a live owner also when it repeats the one that the tank has', async () => {
    await insertTank(sql, 'gone', { id: 't' });
    const { body } = await api
      .put('/v1/tanks/t')
      .send({ ...NEW_TANK, owner_id: 'gone' })
      .expect(400);

    expect(body).toEqual(fieldsProblem({ pointer: '/owner_id', detail: 'unknown owner: "gone"' }));
  });
});

describe('PATCH /v1/tanks/:id', () => {
  const { location: place, ...others } = {
    ...FULL_TANK,
    name: 'x',
    capacity: 1e-300,
    capacity_unit: 'gallons',
    owner_id: 'theirs',
  };
  const patches: { readonly location?: object }[] = [
    ...Object.entries(others).map(([name, value]) => ({ [name]: value })),
    ...Object.entries(place).map(([name, value]) => ({ location: { [name]: value } })),
  ];

  it.each(patches)('changes what is given, and nothing else: %j', async (patch) => {
    const { body: before } = await api.put('/v1/tanks/t').send(NEW_TANK).expect(201);

    const changed = await api.patch('/v1/tanks/t').send(patch).expect(200);

    const { updated_at, ...rest } = changed.body as Record<string, unknown>;
    const location = { ...NOWHERE, ...patch.location };
    expect({ ...rest, updated_at: (before as { updated_at: string }).updated_at }).toEqual({
      ...(before as object),
      ...patch,
      location,
    });
    expect(Date.parse(String(updated_at))).toBeGreaterThan(
      Date.parse((before as { updated_at: string }).updated_at),
    );
    const got = await api.get('/v1/tanks/t').expect(200);
    expect([got.text, tagOf(got)]).toEqual([changed.text, tagOf(changed)]);
  });

  it('clears with null what may be null, and merges the location by key', async () => {
    await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);
    const patch = { custom_id: null, use_case: null, location: { city: null, street: 'x' } };
    const { body } = await api
      .patch('/v1/tanks/t')
      .type('application/merge-patch+json')
      .send(JSON.stringify(patch));
    expect(body).toEqual(
      shown({
        ...FULL_TANK,
        custom_id: null,
        use_case: null,
        location: { ...FULL_TANK.location, city: null, street: 'x' },
      }),
    );

    expect((await api.patch('/v1/tanks/t').send({ location: null }).expect(200)).body).toMatchObject({
      location: NOWHERE,
    });
  });

  it('refuses null where there is no null, and what is wrong alone', async () => {
    await api.put('/v1/tanks/t').send(FULL_TANK).expect(201);
    const before = await rows();
    const nulls = {
      name: null,
      owner_id: null,
      capacity: null,
      capacity_unit: null,
      assigned_device_id: null,
      min_fill_alert_percentage: null,
      created_at: null,
      id: null,
      object: null,
      deleted: null,
    };
    const answer = await api.patch('/v1/tanks/t').send(nulls).expect(400);
    expect(pointersOf(answer)).toEqual([
      '/id',
      '/object',
      '/assigned_device_id',
      '/capacity',
      '/capacity_unit',
      '/created_at',
      '/min_fill_alert_percentage',
      '/name',
      '/owner_id',
      '/deleted',
    ]);
    for (const location of [5, [], 'x', true]) {
      const { body } = await api.patch('/v1/tanks/t').send({ location }).expect(400);
      const detail = `location must be an object or null: ${JSON.stringify(location)}`;
      expect(body).toEqual(fieldsProblem({ pointer: '/location', detail }));
    }
    expect(await rows()).toEqual(before);
  });

  it.each([
    {},
    { name: 'Boiler' },
    { location: {} },
    { location: { city: null } },
    { updated_at: '1', deleted: false },
  ])('that changes nothing is a 200 without a trace: %j', async (patch) => {
    const created = await api.put('/v1/tanks/t').send(NEW_TANK).expect(201);
    const before = await rows();

    const { text } = await api.patch('/v1/tanks/t').send(patch).expect(200);

    expect(text).toBe(created.text);
    expect(await rows()).toEqual(before);
  });

  it('moves updated_at forward, even when it is ahead of the clock, and only with a change', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await insertTank(sql, 'ours', { id: 't', name: 'a', updated_at: ahead });
    await api.patch('/v1/tanks/t').send({ name: 'b' }).expect(200);
    expect(await updatedAt()).toBe(new Date(Date.parse(ahead) + 1).toISOString());
    await api.patch('/v1/tanks/t').send({ name: 'b' }).expect(200);
    expect(await updatedAt()).toBe(new Date(Date.parse(ahead) + 1).toISOString());
    await api.delete('/v1/tanks/t').expect(200);
    await api.put('/v1/tanks/t').send(NEW_TANK).expect(201);
    expect(await updatedAt()).toBe(new Date(Date.parse(ahead) + 3).toISOString());
    await sql.query(`update tanks set updated_at = '9999-12-31T23:59:59.999Z'`);
    await api.patch('/v1/tanks/t').send({ name: 'c' }).expect(200);
    expect(await updatedAt()).toBe('9999-12-31T23:59:59.999Z');
  });

  it('does not mind a deleted owner or an imported value that was not sent', async () => {
    await insertTank(sql, 'gone', { id: 't', assigned_device_id: 'x'.repeat(300) });
    await api.patch('/v1/tanks/t').send({ name: 'x' }).expect(200);
    const { body } = await api.patch('/v1/tanks/t').send({ owner_id: 'gone' }).expect(400);
    expect(body).toEqual(fieldsProblem({ pointer: '/owner_id', detail: 'unknown owner: "gone"' }));
  });

  it('moves a tank with its readings to another owner; past events stay', async () => {
    await api.put('/v1/tanks/t').send(NEW_TANK).expect(201);
    await insertReadings(sql, 't', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
    await api.patch('/v1/tanks/t').send({ owner_id: 'theirs' }).expect(200);
    const theirs = service.agent(await service.createKey({ customerId: 'theirs' }));
    const ours = service.agent(await service.createKey({ customerId: 'ours' }));
    expect((await theirs.get('/v1/tanks/t/telemetry').expect(200)).body).toMatchObject({ total_items: 1 });
    expect((await theirs.get('/v1/fleet')).body).toMatchObject({ tanks: 1, low: 1 });
    await ours.get('/v1/tanks/t').expect(404);
    expect((await ours.get('/v1/events')).body).toMatchObject({ total_items: 1 });
    expect((await theirs.get('/v1/events')).body).toMatchObject({ total_items: 0 });
    expect((await api.get('/v1/customers/ours')).body).toMatchObject({ tank_count: 0 });
  });

  it.each([
    ['a deleted tank', 409, 'deleted', 'This tank is deleted; a PUT restores it.', 't'],
    ['an unknown one', 404, 'not_found', 'There is no tank with this id.', 'nobody'],
    ['one whose id cannot be', 404, 'not_found', 'There is no tank with this id.', 'a%00b'],
  ])('of %s is a %i', async (_, status, code, detail, id) => {
    await insertTank(sql, 'ours', { id: 't', deleted: true });

    expect((await api.patch(`/v1/tanks/${id}`).send({ name: 'x' }).expect(status)).body).toEqual(
      problem(status, code, detail),
    );
  });
});

describe('DELETE /v1/tanks/:id', () => {
  it('deletes, answers as a GET does, and again the same, without a trace', async () => {
    await api.put('/v1/tanks/t').send(NEW_TANK).expect(201);
    const deleted = await api.delete('/v1/tanks/t').expect(200);
    const before = await rows();

    const again = await api.delete('/v1/tanks/t').expect(200);

    expect(deleted.body).toEqual({ id: 't', object: 'tank', deleted: true });
    const got = await api.get('/v1/tanks/t').expect(200);
    expect([deleted.text, tagOf(deleted), again.text, tagOf(again)]).toEqual([
      got.text,
      tagOf(got),
      got.text,
      tagOf(got),
    ]);
    expect(await rows()).toEqual(before);
    expect((await api.get('/v1/tanks')).body).toMatchObject({ total_items: 0 });
    expect((await api.get('/v1/fleet')).body).toMatchObject({ tanks: 0 });
    expect((await api.get('/v1/customers/ours')).body).toMatchObject({ tank_count: 0 });
  });

  it('ignores a body, whatever it is', async () => {
    const key = await service.createKey({ scopes: ['tanks:write'] });
    for (const body of ['{"a":', 'x'.repeat(100_000)]) {
      await api.put('/v1/tanks/t').send(NEW_TANK);
      expect((await service.raw({ method: 'DELETE', path: '/v1/tanks/t', body }, key)).status).toBe(200);
    }
  });

  it('of an unknown tank is a 404', async () => {
    const { body } = await api.delete('/v1/tanks/nobody').expect(404);

    expect(body).toEqual(problem(404, 'not_found', 'There is no tank with this id.'));
  });
});

/** The outcomes of a POST, a PUT and a PATCH that give a device to a tank while another has one. */
async function giveBeside(first: string, second: string) {
  await api.put('/v1/tanks/first').send({ ...NEW_TANK, assigned_device_id: first });
  const given = { ...NEW_TANK, assigned_device_id: second };
  const posted = await api.post('/v1/tanks').send(given);
  if (posted.status === 201) await api.delete(posted.headers['location'] ?? '');
  const put = await api.put('/v1/tanks/second').send(given);
  if (put.status === 201) await api.delete('/v1/tanks/second');
  await api.put('/v1/tanks/third').send(NEW_TANK).expect(201);
  return [posted, put, await api.patch('/v1/tanks/third').send({ assigned_device_id: second })];
}

describe('a device', () => {
  const TAKEN =
    'Another tank has this device. Take it from that tank first, or leave assigned_device_id empty.';

  it.each([
    ['d', 'd'],
    [EUI, '00-16-c0-01-f0-00-17-5a'],
    ['00:16:C0:01:F0:00:17:5A', '0016c001f000175a'],
  ])('is on one live tank: %j and then %j', async (first, second) => {
    const outcomes = await giveBeside(first, second);

    const refused = { ...problem(409, 'device_taken', TAKEN), tank_id: 'first' };
    expect(outcomes.map(({ body }) => body as unknown)).toEqual([refused, refused, refused]);
    expect((await api.get('/v1/tanks')).body).toMatchObject({ total_items: 2 });
  });

  it.each([
    ['d', 'D'],
    ['0016C001F000175', '0016c001f000175'],
    ['', ''],
  ])('may be another one: %j and then %j', async (first, second) => {
    expect((await giveBeside(first, second)).map(outcomeOf)).toEqual(['201', '201', '200']);
  });

  it('stays where it is, also when it is written in another way or was shared by an import', async () => {
    await insertTank(sql, 'ours', { id: 'a', assigned_device_id: EUI });
    await insertTank(sql, 'ours', { id: 'b', assigned_device_id: EUI });
    const other = '00-16-c0-01-f0-00-17-5a';
    await api.patch('/v1/tanks/a').send({ assigned_device_id: other, name: 'x' }).expect(200);
    expect(
      (
        await api
          .put('/v1/tanks/b')
          .send({ ...NEW_TANK, assigned_device_id: EUI })
          .expect(200)
      ).body,
    ).toMatchObject({
      assigned_device_id: EUI,
    });
    expect((await api.get('/v1/tanks/a')).body).toMatchObject({ assigned_device_id: other });
  });

  it('is free once its tank is deleted or has another, and taken when that tank comes back', async () => {
    const given = { ...NEW_TANK, assigned_device_id: 'd' };
    await api.put('/v1/tanks/a').send(given).expect(201);
    await api.delete('/v1/tanks/a').expect(200);
    await api.put('/v1/tanks/b').send(given).expect(201);
    expect(outcomeOf(await api.put('/v1/tanks/a').send(given))).toBe('409 device_taken');
    await api.patch('/v1/tanks/b').send({ assigned_device_id: '' }).expect(200);
    await api.put('/v1/tanks/a').send(given).expect(201);
  });

  it('that was swapped sends for the new tank', async () => {
    await api
      .put('/v1/tanks/t')
      .send({ ...NEW_TANK, assigned_device_id: 'old' })
      .expect(201);
    await api.patch('/v1/tanks/t').send({ assigned_device_id: EUI }).expect(200);
    const reading = {
      device_id: '00:16:c0:01:f0:00:17:5a',
      created_at: new Date().toISOString(),
      fill_percentage: 50,
    };
    const readings = [reading, { ...reading, device_id: 'old' }];
    const { body } = await api.post('/v1/telemetry').send({ readings }).expect(400);
    expect(body).toMatchObject({ created: 1, errors: [{ index: 1, code: 'unknown_device' }] });
  });
});
