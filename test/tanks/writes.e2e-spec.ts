// Tanks that are created, replaced, changed, deleted and restored over HTTP.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { insertCustomer, insertFleetOf, insertReadings, insertTank } from '../support/builders.js';
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
const UUID_V7 = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
const EUI = '0016C001F000175A';
const UNKNOWN = problem(404, 'not_found', 'There is no tank with this id.');

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
const post = (fields: object = {}) => api.post('/v1/tanks').send({ ...NEW_TANK, ...fields });
const put = (fields: object = {}, id = 't') => api.put(`/v1/tanks/${id}`).send({ ...NEW_TANK, ...fields });
const patch = (fields: object, id = 't') => api.patch(`/v1/tanks/${id}`).send(fields);
const remove = (id = 't') => api.delete(`/v1/tanks/${id}`);
/** The body of a GET. */
const at = async (path: string) => (await api.get(path).expect(200)).body as Record<string, unknown>;
const rows = async () => (await sql.query(`select *, xmin from tanks order by id`)).rows as unknown[];
const unknownOwner = (id: string) =>
  fieldsProblem({ pointer: '/owner_id', detail: `unknown owner: ${JSON.stringify(id)}` });

beforeEach(async () => {
  await insertFleetOf(sql, { ours: [], theirs: [] });
  await insertCustomer(sql, { id: 'gone', deleted: true });
});

describe('POST /v1/tanks', () => {
  it.each([NEW_TANK, FULL_TANK])(
    'creates a tank, tells where it is, and answers as a GET: %j',
    async (sent) => {
      const before = Date.now();
      const created = await post(sent).expect(201);

      const { id, created_at, updated_at } = created.body as Record<string, string>;
      expect(created.body).toEqual(shown(sent, UUID_V7));
      expect(created.headers['location']).toBe(`/v1/tanks/${id}`);
      expect(updated_at).toBe(created_at);
      expect(Math.abs(Date.parse(created_at ?? '') - before)).toBeLessThan(60_000);
      const got = await api.get(`/v1/tanks/${id}`).expect(200);
      expect([got.text, tagOf(got)]).toEqual([created.text, tagOf(created)]);
      expect(await at('/v1/tanks')).toMatchObject({ data: [created.body] });
    },
  );

  it('takes a created_at of the past, and of the next five minutes', async () => {
    const soon = new Date(Date.now() + 290_000).toISOString();
    for (const created_at of ['0001-01-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z', soon]) {
      expect((await post({ created_at }).expect(201)).body).toMatchObject({ created_at });
    }
    const offset = await post({ created_at: '2020-01-01T02:00:00.1239+02:00' }).expect(201);
    expect(offset.body).toMatchObject({ created_at: '2020-01-01T00:00:00.123Z' });
    const late = new Date(Date.now() + 320_000).toISOString();
    const detail = `created_at is more than 5 minutes ahead of our clock: "${late}"`;
    expect((await post({ created_at: late }).expect(400)).body).toEqual(
      fieldsProblem({ pointer: '/created_at', detail }),
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
    const answer = await api.post('/v1/tanks').send(wrong).expect(400);

    expect(pointersOf(answer)).toEqual([
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
    const { errors } = answer.body as { errors: { detail: string }[] };
    expect(errors.at(-1)?.detail).toBe('unknown field: "capactiy"; did you mean capacity?');
    expect(await rows()).toEqual([]);
  });

  it.each(['nobody', 'gone', ''])('wants an owner that is there: %j is none', async (owner_id) => {
    expect((await post({ owner_id }).expect(400)).body).toEqual(unknownOwner(owner_id));
  });

  it('takes what was read but for its id, and ignores what the service counts', async () => {
    const { body } = await post({ object: 'tank', updated_at: 'whatever', deleted: false }).expect(201);

    expect(body).toEqual(shown(NEW_TANK, UUID_V7));
    expect(pointersOf(await post({ id: 'x', tank_count: 1 }).expect(400))).toEqual(['/id', '/tank_count']);
  });
});

describe('PUT /v1/tanks/:id', () => {
  it('creates with 201, then changes nothing with 200, also with what a GET showed, and leaves no trace', async () => {
    const created = await put(FULL_TANK).expect(201);
    expect(created.body).toEqual(shown(FULL_TANK));
    const before = await rows();

    for (const same of [FULL_TANK, await at('/v1/tanks/t')]) {
      const again = await put(same).expect(200);
      expect([again.text, tagOf(again)]).toEqual([created.text, tagOf(created)]);
    }
    expect(await rows()).toEqual(before);
  });

  it('replaces: what is left out gets its default', async () => {
    await put(FULL_TANK).expect(201);

    const { body } = await put({ location: { city: 'Oslo' } }).expect(200);

    expect(body).toEqual(shown({ ...NEW_TANK, location: { ...NOWHERE, city: 'Oslo' } }));
    expect((await put({ location: null }).expect(200)).body).toEqual(shown(NEW_TANK));
    await post({ location: null }).expect(201);
  });

  it('restores a deleted one with 201, with its readings and its created_at', async () => {
    const created = await put().expect(201);
    await insertReadings(sql, 't', [{ created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 50 }]);
    await remove().expect(200);

    const restored = await put(FULL_TANK).expect(201);

    const { created_at } = created.body as { created_at: string };
    expect(restored.body).toEqual(shown({ ...FULL_TANK, created_at }));
    expect(await at('/v1/tanks')).toMatchObject({ total_items: 1 });
    expect(await at('/v1/tanks/t/telemetry')).toMatchObject({ total_items: 1 });
    expect(await at('/v1/fleet/tanks/t')).toMatchObject({ fill_percentage: 50 });
  });

  it('keeps created_at, which may be sent only as it is', async () => {
    const created_at = '2025-01-01T00:00:00.000Z';
    await put({ created_at }).expect(201);
    const same = await put({ name: 'x', created_at: '2025-01-01T01:00:00+01:00' }).expect(200);
    expect(same.body).toMatchObject({ created_at });

    const detail = `created_at must stay as it is: ${created_at}`;
    const refused = fieldsProblem({ pointer: '/created_at', detail });
    const other = { created_at: '2025-01-01T00:00:00.001Z' };
    expect((await put(other).expect(400)).body).toEqual(refused);
    await remove().expect(200);
    expect((await put(other).expect(400)).body).toEqual(refused);
    expect((await put({ created_at }).expect(201)).body).toMatchObject({ created_at });
  });

  it.each(['a b', 'ä/ö?#', '%', '..', '🛢'.repeat(255)])(
    'takes any id of 1 to 255 characters: %j',
    async (id) => {
      const escaped = encodeURIComponent(id).replaceAll('.', '%2E');
      expect((await put({ id }, escaped).expect(201)).body).toEqual(shown(NEW_TANK, id));
      expect(await at(`/v1/tanks/${escaped}`)).toMatchObject({ id });
    },
  );

  it('refuses an id that cannot be one, with whatever else is wrong', async () => {
    expect((await put({ name: 1 }, 'x'.repeat(256)).expect(400)).body).toEqual(
      fieldsProblem(
        { pointer: '/id', detail: 'id is longer than 255 characters' },
        { pointer: '/name', detail: 'name must be a string: 1' },
      ),
    );
    expect((await put({}, 'a%00b').expect(400)).body).toEqual(
      fieldsProblem({ pointer: '/id', detail: 'id holds a NUL character' }),
    );
    expect((await put({ id: 'u' }).expect(400)).body).toEqual(
      fieldsProblem({ pointer: '/id', detail: 'id must be that of the address: "u"' }),
    );
  });
});

describe('PATCH /v1/tanks/:id', () => {
  const { location: place, ...others } = {
    ...FULL_TANK,
    name: 'x',
    capacity: 1e-300,
    min_fill_alert_percentage: 0,
    location: { ...FULL_TANK.location, latitude: 0, longitude: -180 },
    capacity_unit: 'gallons',
    owner_id: 'theirs',
  };
  const patches: { readonly location?: object }[] = [
    ...Object.entries(others).map(([name, value]) => ({ [name]: value })),
    ...Object.entries(place).map(([name, value]) => ({ location: { [name]: value } })),
  ];

  it.each(patches)('changes what is given, and nothing else: %j', async (change) => {
    const before = (await put().expect(201)).body as { updated_at: string };

    const changed = await patch(change).expect(200);

    const location = { ...NOWHERE, ...change.location };
    expect(changed.body).toEqual({ ...before, ...change, location, updated_at: INSTANT });
    const { updated_at } = changed.body as { updated_at: string };
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const got = await api.get('/v1/tanks/t').expect(200);
    expect([got.text, tagOf(got)]).toEqual([changed.text, tagOf(changed)]);
  });

  it('clears with null what may be null, and merges the location by key', async () => {
    await put(FULL_TANK).expect(201);
    const nulls = { custom_id: null, use_case: null };
    const moved = { city: null, street: 'x' };
    const { body } = await api
      .patch('/v1/tanks/t')
      .type('application/merge-patch+json')
      .send(JSON.stringify({ ...nulls, location: moved }));
    expect(body).toEqual(shown({ ...FULL_TANK, ...nulls, location: { ...FULL_TANK.location, ...moved } }));

    expect((await patch({ location: null }).expect(200)).body).toMatchObject({ location: NOWHERE });
  });

  it('refuses null where there is no null, and what is wrong alone', async () => {
    await put(FULL_TANK).expect(201);
    const before = await rows();
    // In the order of the fields, those last that are none.
    const names = [
      'id',
      'object',
      'assigned_device_id',
      'capacity',
      'capacity_unit',
      'created_at',
      'min_fill_alert_percentage',
      'name',
      'owner_id',
      'deleted',
    ];
    const nulls = Object.fromEntries(names.toReversed().map((name) => [name, null]));
    const answer = await patch(nulls).expect(400);
    expect(pointersOf(answer)).toEqual(names.map((name) => `/${name}`));
    for (const location of [5, [], 'x', true]) {
      const detail = `location must be an object or null: ${JSON.stringify(location)}`;
      const refused = fieldsProblem({ pointer: '/location', detail });
      expect((await patch({ location }).expect(400)).body).toEqual(refused);
      expect((await put({ location }).expect(400)).body).toEqual(refused);
    }
    expect(await rows()).toEqual(before);
  });

  it.each([
    {},
    { name: 'Boiler' },
    { location: {} },
    { location: { city: null } },
    { updated_at: '1', deleted: false },
  ])('that changes nothing is a 200 without a trace: %j', async (nothing) => {
    const created = await put().expect(201);
    const before = await rows();

    expect((await patch(nothing).expect(200)).text).toBe(created.text);
    expect(await rows()).toEqual(before);
  });

  it('moves updated_at forward, even when it is ahead of the clock, and only with a change', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await insertTank(sql, 'ours', { id: 't', name: 'a', updated_at: ahead });
    const later = (ms: number) => ({ updated_at: new Date(Date.parse(ahead) + ms).toISOString() });
    for (const _ of ['changed', 'the same again']) {
      expect((await patch({ name: 'b' }).expect(200)).body).toMatchObject(later(1));
    }
    await remove().expect(200);
    expect((await put().expect(201)).body).toMatchObject(later(3));
    const last = { updated_at: '9999-12-31T23:59:59.999Z' };
    await sql.query('update tanks set updated_at = $1', [last.updated_at]);
    expect((await patch({ name: 'c' }).expect(200)).body).toMatchObject(last);
  });

  it('does not mind a deleted owner or an imported value that was not sent', async () => {
    await insertTank(sql, 'gone', { id: 't', assigned_device_id: 'x'.repeat(300) });
    await patch({ name: 'x' }).expect(200);
    for (const repeated of [await patch({ owner_id: 'gone' }), await put({ owner_id: 'gone' })])
      expect(repeated.body).toEqual(unknownOwner('gone'));
  });

  it('moves a tank with its readings to another owner; past events stay', async () => {
    await put().expect(201);
    await insertReadings(sql, 't', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
    await patch({ owner_id: 'theirs' }).expect(200);
    const theirs = service.agent(await service.createKey({ customerId: 'theirs' }));
    const ours = service.agent(await service.createKey({ customerId: 'ours' }));
    expect((await theirs.get('/v1/tanks/t/telemetry').expect(200)).body).toMatchObject({ total_items: 1 });
    expect((await theirs.get('/v1/fleet')).body).toMatchObject({ tanks: 1, low: 1 });
    await ours.get('/v1/tanks/t').expect(404);
    expect((await ours.get('/v1/events')).body).toMatchObject({ total_items: 1 });
    expect((await theirs.get('/v1/events')).body).toMatchObject({ total_items: 0 });
    expect(await at('/v1/customers/ours')).toMatchObject({ tank_count: 0 });
  });

  it.each([
    ['a deleted tank', 't', problem(409, 'deleted', 'This tank is deleted; a PUT restores it.')],
    ['an unknown one', 'nobody', UNKNOWN],
    ['one whose id cannot be', 'a%00b', UNKNOWN],
  ])('of %s is refused', async (_, id, refused) => {
    await insertTank(sql, 'ours', { id: 't', deleted: true });

    expect((await patch({ name: 'x' }, id)).body).toEqual(refused);
  });
});

describe('DELETE /v1/tanks/:id', () => {
  it('deletes, answers as a GET does, and again the same, without a trace', async () => {
    expect((await remove().expect(404)).body).toEqual(UNKNOWN);
    await put().expect(201);
    const deleted = await remove().expect(200);
    const before = await rows();

    expect(deleted.body).toEqual({ id: 't', object: 'tank', deleted: true });
    for (const same of [await remove().expect(200), await api.get('/v1/tanks/t').expect(200)]) {
      expect([same.text, tagOf(same)]).toEqual([deleted.text, tagOf(deleted)]);
    }
    expect(await rows()).toEqual(before);
    expect(await at('/v1/tanks')).toMatchObject({ total_items: 0 });
    expect(await at('/v1/fleet')).toMatchObject({ tanks: 0 });
    expect(await at('/v1/customers/ours')).toMatchObject({ tank_count: 0 });
  });
});

/** The outcomes of a POST, a PUT and a PATCH that give a device to a tank while another has one. */
async function giveBeside(first: string, second: string) {
  await put({ assigned_device_id: first }, 'first');
  const given = { assigned_device_id: second };
  const posted = await post(given);
  if (posted.status === 201) await api.delete(posted.headers['location'] ?? '');
  const other = await put(given, 'second');
  if (other.status === 201) await remove('second');
  await put({}, 'third').expect(201);
  return [posted, other, await patch(given, 'third')];
}

describe('a device', () => {
  const TAKEN =
    'Another tank has this device. Take it from that tank first, or leave assigned_device_id empty.';

  it.each([
    ['d', 'd'],
    [EUI, '00-16-c0-01-f0-00-17-5a'],
    ['00:16:C0:01:F0:00:17:5A', '0016c001f000175a'],
    ['0016 C001 F000 175A', '0016-c001.f000-175a'],
    ['0016 C001 F000 175A#1', '0016c001f000175a#1'],
  ])('is on one live tank: %j and then %j', async (first, second) => {
    const outcomes = await giveBeside(first, second);

    const refused = { ...problem(409, 'device_taken', TAKEN), tank_id: 'first' };
    expect(outcomes.map(({ body }) => body as unknown)).toEqual([refused, refused, refused]);
    expect(await at('/v1/tanks')).toMatchObject({ total_items: 2 });
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
    await patch({ assigned_device_id: other, name: 'x' }, 'a').expect(200);
    const again = await put({ assigned_device_id: EUI }, 'b').expect(200);
    expect(again.body).toMatchObject({ assigned_device_id: EUI });
    expect(await at('/v1/tanks/a')).toMatchObject({ assigned_device_id: other });
  });

  it('is free once its tank is deleted or has another, and taken when that tank comes back', async () => {
    const given = { assigned_device_id: 'd' };
    await put(given, 'a').expect(201);
    await remove('a').expect(200);
    await put(given, 'b').expect(201);
    expect(outcomeOf(await put(given, 'a'))).toBe('409 device_taken');
    await patch({ assigned_device_id: '' }, 'b').expect(200);
    await put(given, 'a').expect(201);
  });
});
