// GET /v1/fleet/tanks, /v1/fleet/tanks/:id and /v1/fleet: what is known of each tank now.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import {
  aTank,
  clear,
  insertCustomer,
  insertCustomers,
  insertReadings,
  insertTank,
  insertTanks,
} from '../support/builders.js';
import { NOWHERE } from '../support/manage.js';
import { parameterProblem, problem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'owner', name: 'Harbor Hotel' });
});

/** Readings of a tank, newest last, an hour apart, the newest just now. */
async function report(tankId: string, ...fills: readonly number[]): Promise<void> {
  const hoursAgo = (i: number) => ago((fills.length - 1 - i) * HOUR);
  const readings = fills.map((fill_percentage, i) => ({ created_at: hoursAgo(i), fill_percentage }));
  await insertReadings(sql, tankId, readings);
}

/** `said`: columns of its last uplink; null for a tank without a sensor. */
async function insertSensor(tankId: string, said: Readonly<Record<string, number>> | null): Promise<void> {
  await insertTank(sql, 'owner', { id: tankId, name: tankId });
  if (said === null) return;
  await sql.query(
    `insert into tank_sensors (tank_key, profile_id, battery_percent, rssi_dbm, snr_db)
     select key, 'em400-udl', $2, $3, $4 from tanks where id = $1`,
    [tankId, said['battery_percent'], said['rssi_dbm'], said['snr_db']],
  );
}

async function idsOf(parameters: string, key?: string): Promise<string[]> {
  const asked = key === undefined ? api : service.agent(key);
  const { body } = await asked.get(`/v1/fleet/tanks?size=100&${parameters}`).expect(200);
  const ids = (body.data as { tank_id: string }[]).map(({ tank_id }) => tank_id);
  expect(body.total_items).toBe(ids.length);
  return ids;
}

describe('GET /v1/fleet/tanks', () => {
  it('shows a tank, its owner and its newest reading', async () => {
    const told = {
      name: 'Boiler house',
      custom_id: 'B-2',
      assigned_device_id: 'dev-1',
      use_case: 'commercial',
      capacity: 2750,
      capacity_unit: 'gallons',
      min_fill_alert_percentage: 20,
    } as const;
    await insertTank(sql, 'owner', { id: 'tank', ...told, city: 'Rotterdam', latitude: 51.9 });
    const reported_at = ago(HOUR);
    await insertReadings(sql, 'tank', [{ created_at: reported_at, fill_percentage: 63.3 }]);
    await insertReadings(sql, 'tank', [{ created_at: ago(DAY), fill_percentage: 5 }]);

    const { body } = await api.get('/v1/fleet/tanks').expect(200);

    expect(body.data).toEqual([
      {
        object: 'tank_status',
        tank_id: 'tank',
        ...told,
        owner_id: 'owner',
        location: { ...NOWHERE, city: 'Rotterdam', latitude: 51.9 },
        owner_name: 'Harbor Hotel',
        reported_at,
        fill_percentage: 63.3,
        volume: 1740.75,
        reported: true,
        low: false,
        silent: false,
        silent_after_seconds: 86_400,
        forecast: null,
      },
    ]);
    expect(body).toMatchObject({ object: 'list', page: 1, size: 10, total_pages: 1, total_items: 1 });
  });

  it('names no owner who is deleted', async () => {
    await insertTank(sql, 'owner', { id: 'tank' });
    await sql.query('update customers set deleted = true');

    const { body } = await api.get('/v1/fleet/tanks').expect(200);

    expect(body.data[0]).toMatchObject({ owner_id: 'owner', owner_name: null });
  });

  it('is low at the threshold, and follows it when it is moved', async () => {
    await insertTank(sql, 'owner', { id: 'tank', min_fill_alert_percentage: 20 });
    await report('tank', 20);
    expect(await idsOf('low=true')).toEqual(['tank']);
    await sql.query('update tanks set min_fill_alert_percentage = 19');
    expect(await idsOf('low=true')).toEqual([]);
    expect(await idsOf('low=false')).toEqual(['tank']);
  });

  describe('in order', () => {
    beforeEach(async () => {
      await insertTank(sql, 'owner', {
        id: 'c',
        created_at: '2026-01-03T00:00:00.000Z',
        use_case: 'commercial',
      });
      await insertTank(sql, 'owner', { id: 'b', created_at: '2026-01-03T00:00:00.000Z' });
      await insertTank(sql, 'owner', { id: 'a', created_at: '2026-01-04T00:00:00.000Z' });
      await insertTank(sql, 'owner', { id: 'never', created_at: '2026-01-01T00:00:00.000Z' });
      const created_at = ago(HOUR);
      await insertReadings(sql, 'a', [{ created_at: ago(0), fill_percentage: 50 }]);
      await insertReadings(sql, 'b', [{ created_at, fill_percentage: 50 }]);
      await insertReadings(sql, 'c', [{ created_at, fill_percentage: 0 }]);
    });

    it.each([
      ['', ['c', 'a', 'b', 'never']],
      ['sort=fill_percentage', ['c', 'a', 'b', 'never']],
      ['sort=reported_at', ['never', 'b', 'c', 'a']],
      ['sort=created_at', ['a', 'b', 'c', 'never']],
      ['sort=reported_at&owner_id=owner', ['never', 'b', 'c', 'a']],
      ['sort=created_at&q=device', ['a', 'b', 'c', 'never']],
      ['reported=false', ['never']],
      ['reported=true&sort=created_at', ['a', 'b', 'c']],
      ['use_case=commercial&low=true', ['c']],
      ['low=false&silent=false&sort=reported_at', ['never', 'b', 'a']],
      ['low=false&silent=false&sort=reported_at&q=device', ['never', 'b', 'a']],
      ['low=false&silent=false&sort=reported_at&owner_id=owner', ['never', 'b', 'a']],
    ])('%s, on pages too', async (parameters, ids) => {
      expect(await idsOf(parameters)).toEqual(ids);
      for (const size of [1, 2, 3]) {
        const paged: string[] = [];
        for (let page = 1; page <= Math.ceil(ids.length / size); page += 1) {
          const { body } = await api
            .get(`/v1/fleet/tanks?${parameters}&size=${size}&page=${page}`)
            .expect(200);
          paged.push(...(body.data as { tank_id: string }[]).map(({ tank_id }) => tank_id));
          expect(body.total_items).toBe(ids.length);
        }
        expect(paged).toEqual(ids);
      }
    });
  });

  describe('q', () => {
    beforeEach(async () => {
      await insertTank(sql, 'owner', { id: 'name', name: 'Küche 100% _x_' });
      await insertTank(sql, 'owner', { id: 'custom', custom_id: 'ΟΔΟΣ-7' });
      await insertTank(sql, 'owner', { id: 'device', assigned_device_id: 'Straße\\9' });
      await insertTank(sql, 'owner', { id: 'spelt', name: 'x', assigned_device_id: 'A8-40-41-00' });
      await insertTank(sql, 'owner', { id: 'city', city: 'Ēze' });
      const address = { postal_code: '3024 EL', street: 'Åkessons gränd', region: 'Małopolskie' };
      await insertTank(sql, 'owner', { id: 'address', ...address, name: 'Blåbær' });
      const person = { name: 'ЗАВОД', email: 'José@example.org', phone: '+31 10 555' };
      await insertCustomer(sql, { id: 'other', ...person });
      await insertTank(sql, 'other', { id: 'owned', city: 'Đà Nẵng' });
    });

    it.each([
      ['KÜCHE', ['name']],
      ['100%', ['name']],
      ['_x_', ['name']],
      ['οδος', ['custom']],
      ['STRASSE', ['device']],
      ['e\\9', ['device']],
      ['EZE', ['city']],
      ['akesson', ['address']],
      ['A\u030AKESSON', ['address']],
      ['gränd 3024 el małopolskie', ['address']],
      ['malopolskie', []], // ł is no l with an accent
      ['blabaer', []],
      ['JOSE@EXAMPLE.ORG', ['owned']],
      ['+31 555', ['owned']],
      ['+3110555', ['owned']], // phones and ids of devices however they are spelt
      ['31-10-55', ['owned']],
      ['a84041', ['spelt']],
      ['A8:40:41', ['spelt']],
      ['nang jose 10', ['owned']], // of the tank and of its owner
      ['nang harbor', []], // each of another
      ['завод', ['owned']],
      ['harbor', ['address', 'city', 'custom', 'device', 'name', 'spelt']],
      ['a\u0000b', []],
    ])('each word of %s is found as text in some field, in any case and with any accents', async (q, ids) => {
      expect((await idsOf(`q=${encodeURIComponent(q)}`)).toSorted()).toEqual(ids);
    });

    describe('finds addresses, phones and devices as people write them:', () => {
      beforeEach(async () => {
        const at = { name: 'x', assigned_device_id: '', city: null, country: null };
        await insertCustomers(sql, [
          { id: 'at', name: 'Anna', email: 'a@x', phone: '0664 / 123 45 67' },
          { id: 'de', name: 'Bernd', email: 'b@x', phone: '+49 40 66969128 (office)' },
        ]);
        await insertTanks(sql, [
          aTank('at', {
            id: 'graz',
            ...at,
            street: 'Grazer Straße',
            street_number: '14a',
            city: 'Bruck',
            country: 'AT',
          }),
          aTank('at', {
            id: 'main',
            ...at,
            street: 'Hauptstr. 5',
            district: 'Andritz',
            country: 'Österreich',
          }),
          aTank('de', { id: 'hh', ...at, name: 'Haus, Bahnhofstr', country: ' germany' }),
          aTank('de', {
            id: 'us',
            ...at,
            country: 'Vereinigte Staaten',
            assigned_device_id: '70b3-d549-c1e9-c3c0',
          }),
        ]);
      });

      it.each([
        ['Grazer Straße 14a', ['graz']],
        ['grazer str 14', ['graz']],
        ['Grazer Str.14a, Bruck', ['graz']],
        ['hauptstraße', ['main']],
        ['HAUPTSTR. 5', ['main']],
        ['hauptstra andritz', ['main']],
        ['bahnhofstrasse', ['hh']],
        ['Österreich', ['graz', 'main']],
        ['austria', ['graz', 'main']],
        ['AT', ['graz', 'main']],
        ['deutschland bahnhof', ['hh']],
        ['Germany', ['hh']],
        ['deutsch', []], // a surname is none of a country
        ['reich', []],
        ['united states', ['us']],
        ['+43 664 1234567', ['graz', 'main']],
        ['0043 (664) 123 45 67', ['graz', 'main']],
        ['664 1234567', ['graz', 'main']],
        ['040 66969128', ['hh', 'us']],
        ['040 / 66 96 91-28 haus', ['hh']],
        ['66969128', ['hh', 'us']],
        ['040 66969129', []],
        ['70 B3 D5 49 C1 E9 C3 C0', ['us']],
        ['70:b3:d5:49:c1:e9:c3', ['us']],
        ['70B3 D549', ['us']],
        ['70b3-d549.c1e9 c3c0 bernd', ['us']],
      ])('%s', async (q, ids) => {
        expect((await idsOf(`q=${encodeURIComponent(q)}`)).toSorted()).toEqual(ids);
      });
    });

    it('is followed by the counts of the fleet', async () => {
      await sql.query(`update tanks set use_case = 'commercial' where id in ('name', 'owned')`);
      await insertReadings(sql, 'name', [{ created_at: ago(0), fill_percentage: 1 }]);
      const counts = async (parameters: string) => {
        const { body } = await api.get(`/v1/fleet?${parameters}`).expect(200);
        return [body.tanks, body.low];
      };
      expect(await counts('')).toEqual([7, 1]);
      expect(await counts('use_case=commercial')).toEqual([2, 1]);
      expect(await counts('use_case=commercial&owner_id=other')).toEqual([1, 0]);
      expect(await counts('q=harbor')).toEqual([6, 1]);
      expect(await counts('q=harbor&use_case=commercial')).toEqual([1, 1]);
      expect(await counts('q=harbor&owner_id=other')).toEqual([0, 0]);
      expect(await counts('q=a%00b')).toEqual([0, 0]);
      await api.get('/v1/fleet?q=').expect(400);
      await api.get('/v1/fleet?use_case=').expect(400);
    });

    it('never finds the name of an owner who is deleted', async () => {
      await sql.query(`update customers set deleted = true where id = 'other'`);
      expect(await idsOf(`q=${encodeURIComponent('завод')}`)).toEqual([]);
    });
  });

  describe('by the state of its sensor', () => {
    const WEAK = { rssi_dbm: -118, snr_db: 2 };
    const NOISY = { rssi_dbm: -90, snr_db: -12 };
    const FINE = { rssi_dbm: -115, snr_db: -10 };

    beforeEach(async () => {
      await insertSensor('flat', { battery_percent: 19.9, ...FINE });
      await insertSensor('far', { battery_percent: 20, ...WEAK });
      await insertSensor('noisy', { battery_percent: 3, ...NOISY });
      await insertSensor('fine', { battery_percent: 100, ...FINE });
      await insertSensor('mute', {});
      await insertSensor('none', null);
    });

    it('finds a low battery, and a weak signal, below the bounds', async () => {
      expect((await idsOf('low_battery=true')).toSorted()).toEqual(['flat', 'noisy']);
      expect((await idsOf('weak_signal=true')).toSorted()).toEqual(['far', 'noisy']);
      expect(await idsOf('low_battery=true&weak_signal=true')).toEqual(['noisy']);
    });

    it('of which nothing is known, is not low and not weak', async () => {
      const others = await idsOf('low_battery=false&weak_signal=false');
      expect(others.toSorted()).toEqual(['fine', 'mute', 'none']);
    });

    it('goes with the other filters, and is followed by the counts of the fleet', async () => {
      await report('flat', 10);
      const filters = 'low_battery=true&reported=true&q=fl&owner_id=owner&alert_before=2126-01-01';
      expect(await idsOf(filters)).toEqual(['flat']);
      const { body } = await api.get('/v1/fleet?low_battery=true').expect(200);
      expect(body).toMatchObject({ tanks: 2, reported: 1, low: 1 });
      const { body: near } = await api
        .get('/v1/fleet?low_battery=false&weak_signal=true&owner_id=owner')
        .expect(200);
      expect(near).toMatchObject({ tanks: 1, reported: 0 });
    });
  });

  it("with a key bound to a customer lists that customer's tanks only, whatever is asked for", async () => {
    await insertCustomer(sql, { id: 'other', name: 'Other' });
    await insertTank(sql, 'owner', { id: 'mine' });
    await insertTank(sql, 'other', { id: 'theirs' });
    const key = await service.createKey({ customerId: 'owner' });

    expect(await idsOf('', key)).toEqual(['mine']);
    expect(await idsOf('owner_id=owner', key)).toEqual(['mine']);
    expect(await idsOf('owner_id=other', key)).toEqual([]);
    expect(await idsOf('q=other', key)).toEqual([]);
    await service.agent(key).get('/v1/fleet/tanks/theirs').expect(404);
    await service.agent(key).get('/v1/fleet/tanks/mine').expect(200);
    const { body } = await service.agent(key).get('/v1/fleet').expect(200);
    expect(body).toMatchObject({ tanks: 1 });
    const theirs = await service.agent(key).get('/v1/fleet?owner_id=other').expect(200);
    expect(theirs.body).toMatchObject({ tanks: 0, reported: 0, never_reported: 0, low: 0, silent: 0 });
  });

  it.each([
    ['q=a', 'q', 'must have 2 to 100 characters, not "a"'],
    ['q=+++', 'q', 'must be 1 to 5 words, not "   "'],
    ['q=a+b+c+d+e+f', 'q', 'must be 1 to 5 words, not "a b c d e f"'],
  ])('refuses %s', async (parameters, parameter, detail) => {
    const { body } = await api.get(`/v1/fleet/tanks?${parameters}`).expect(400);
    expect(body).toEqual(parameterProblem({ parameter, detail }));
  });
});

describe('silence', () => {
  it('is judged at the moment of the question, before and after a sweep has noted it', async () => {
    await insertTank(sql, 'owner', { id: 'late' });
    await insertTank(sql, 'owner', { id: 'due' });
    await insertReadings(sql, 'due', [{ created_at: ago(DAY - HOUR), fill_percentage: 50 }]);
    await insertReadings(sql, 'late', [{ created_at: ago(DAY - HOUR), fill_percentage: 50 }]);
    // As if the tank had fallen silent since its state was kept.
    await sql.query(`update tank_states set silent_at = now() - interval '1 second' where tank_id = 'late'`);

    for (const noted of [false, true]) {
      if (noted) await sql.query('select mark_silent_tanks(10)');
      const { rows } = await sql.query(`select silent from tank_states where tank_id = 'late'`);
      expect(rows).toEqual([{ silent: noted }]);
      expect(await idsOf('silent=true')).toEqual(['late']);
      expect(await idsOf('silent=false')).toEqual(['due']);
      expect(await idsOf('silent=true&owner_id=owner')).toEqual(['late']);
      const whole = await api.get('/v1/fleet').expect(200);
      const owned = await api.get('/v1/fleet?owner_id=owner').expect(200);
      const counts = { tanks: 2, reported: 2, never_reported: 0, low: 0, silent: 1, low_and_silent: 0 };
      expect(whole.body).toMatchObject(counts);
      expect(owned.body).toMatchObject(counts);
      const { body } = await api.get('/v1/fleet/tanks?sort=created_at').expect(200);
      expect(body.data).toMatchObject([
        { tank_id: 'due', silent: false },
        { tank_id: 'late', silent: true },
      ]);
    }
  });
});

/** A reading every six hours, so that silence is a day and a half away at most; the newest just now. */
async function history(...fills: readonly number[]): Promise<string> {
  await insertTank(sql, 'owner', { id: 'tank', min_fill_alert_percentage: 20 });
  const readings = fills.map((fill_percentage, i) => ({
    created_at: ago((fills.length - 1 - i) * 6 * HOUR),
    fill_percentage,
  }));
  await insertReadings(sql, 'tank', readings);
  return readings[0]?.created_at ?? '';
}

const consumption = async (): Promise<unknown> =>
  (await api.get('/v1/fleet/tanks/tank').expect(200)).body.consumption;

describe('GET /v1/fleet/tanks/:id', () => {
  it('tells how fast a tank is emptied and how long it will last', async () => {
    // 16 pairs cover 4 days; 12 points are used.
    const since = await history(...Array.from({ length: 17 }, (_, i) => 62 - i * 0.75));
    expect(await consumption()).toEqual({ percent_per_day: 3, days_left: 16.7, days_to_alert: 10, since });
  });

  it('leaves out refills and wrong readings, and counts small rises', async () => {
    // Refill 12.4 → 17.4: exactly 5. Wrong: 80 → 59.9 falls by more than 20. Neither pair counts.
    const before = [20, 19, 18, 19, 17, 16, 15, 14, 13.4, 12.4];
    const since = await history(...before, 17.4, 16.4, 15.4, 14.4, 80, 59.9, 59);
    // Pairs: 20→12.4 (7.6 used, 9 pairs), 17.4→14.4 (3, 3 pairs), 59.9→59 (0.9, 1 pair): 11.5 in 3.25 days.
    expect(await consumption()).toEqual({ percent_per_day: 3.54, days_left: 16.7, days_to_alert: 11, since });
  });

  it('is unknown when less than three days are covered, or less than a point was used', async () => {
    await history(...Array.from({ length: 12 }, (_, i) => 62 - i));
    expect(await consumption()).toBeNull();
    await clear(sql);
    await insertCustomer(sql, { id: 'owner' });
    await history(...Array.from({ length: 40 }, (_, i) => 62 - i * 0.025));
    expect(await consumption()).toBeNull();
  });

  it('is unknown for a silent tank and for one without readings', async () => {
    await history(...Array.from({ length: 20 }, (_, i) => 62 - i));
    await sql.query(`update telemetry set created_at = created_at - interval '10 days'`);
    expect(await consumption()).toBeNull();
    await sql.query('delete from telemetry');
    expect(await consumption()).toBeNull();
  });

  it('is not found when the tank is deleted, unknown or cannot exist', async () => {
    await insertTank(sql, 'owner', { id: 'gone', deleted: true });
    for (const id of ['gone', 'unknown', 'a%00b']) {
      const { body } = await api.get(`/v1/fleet/tanks/${id}?low=perhaps`).expect(404); // no parameter is read
      expect(body).toEqual(problem(404, 'not_found', 'There is no tank with this id.'));
    }
  });
});

describe('GET /v1/fleet', () => {
  it('counts the fleet', async () => {
    for (const id of ['never', 'well', 'low', 'silent', 'both']) {
      await insertTank(sql, 'owner', { id, min_fill_alert_percentage: 20 });
    }
    await report('well', 21);
    await report('low', 20);
    await insertReadings(sql, 'silent', [{ created_at: ago(2 * DAY), fill_percentage: 50 }]);
    await insertReadings(sql, 'both', [{ created_at: ago(2 * DAY), fill_percentage: 5 }]);

    const { body } = await api.get('/v1/fleet').expect(200);

    expect(body).toEqual({
      object: 'fleet',
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tanks: 5,
      reported: 4,
      never_reported: 1,
      low: 2,
      silent: 2,
      low_and_silent: 1,
    });
    expect(Math.abs(Date.parse(body.as_of) - Date.now())).toBeLessThan(600_000);
  });
});
