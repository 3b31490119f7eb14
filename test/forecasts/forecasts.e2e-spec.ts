// Forecasts: made from readings alone, kept with the tank's state, shown in the fleet and by tank.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Forecasting } from '../../src/forecasts/forecasting.js';
import { startService } from '../support/app.js';
import { insertFleetOf, insertTank, writeReadings } from '../support/builders.js';

const service = await startService();
const { sql, api } = service;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Of the clock that forecasts are made by: some hours after midnight. */
let now = 0;
const forecasting = new Forecasting(sql, () => now, 0);

/** Four readings a day for so many days until now, with so many points used a day. */
function steady(
  days: number,
  perDay: number,
  last: number,
  until = now,
): { created_at: string; fill_percentage: number }[] {
  return Array.from({ length: days * 4 + 1 }, (_, i) => ({
    created_at: new Date(until - (days * 4 - i) * 6 * HOUR).toISOString(),
    fill_percentage: Math.min(100, last + ((days * 4 - i) * perDay) / 4),
  }));
}

const forecastOf = async (tank: string) => (await api.get(`/v1/tanks/${tank}/forecast`).expect(200)).body;
const madeAt = async () => (await forecastOf('steady')).made_at as string;
const report = (hours: number, fill_percentage: number) =>
  writeReadings(sql, 'steady', [{ created_at: day(hours / 24), fill_percentage }]);
const day = (days: number) => new Date(now + days * DAY).toISOString();
const accuracy = async (query = '') => (await api.get(`/v1/forecasts/accuracy${query}`).expect(200)).body;
const inFleet = async (query = '') => (await api.get(`/v1/fleet/tanks${query}`).expect(200)).body;
const ids = ({ data }: { data: { tank_id: string }[] }) => data.map(({ tank_id: id }) => id);

const emptyFirst = async (query = '') => ids(await inFleet(`?sort=empty_at${query}`));

beforeEach(async () => {
  await sql.query('delete from forecast_errors');
  await sql.query(
    `update forecast_fleet set night = 0, round = round + 1, tanks = 0, state = null, errors = null, feed_position = 0`,
  );
  now = Math.floor(Date.now() / DAY) * DAY + 9 * HOUR;
  await insertFleetOf(sql, { ours: ['slow'], theirs: ['low', 'new', 'unread'] });
  await insertTank(sql, 'ours', { id: 'steady', use_case: 'commercial' });
});

describe('a forecast', () => {
  it('finds a constant use exactly, and says when the alert and the end come', async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 50));
    await forecasting.run();
    const forecast = await forecastOf('steady');
    expect(forecast).toMatchObject({
      object: 'forecast',
      tank_id: 'steady',
      made_at: day(0),
      level: 50,
      percent_per_day: 2,
      accuracy: null,
    });
    expect(forecast.alert.p50).toBe(day(15));
    expect(forecast.empty.p50).toBe(day(25));
    expect(forecast.alert.p10 < forecast.alert.p50 && forecast.alert.p50 < forecast.alert.p90).toBe(true);
    expect(forecast.data).toHaveLength(30);
    expect(forecast.data[0]).toMatchObject({ at: day(1), p50: 48 });
    const { data } = await inFleet();
    const item = data.find(({ tank_id: id }: { tank_id: string }) => id === 'steady');
    const { made_at, percent_per_day, alert, empty } = forecast;
    expect(item.forecast).toEqual({ made_at, percent_per_day, alert, empty });
    const { body: one } = await api.get('/v1/fleet/tanks/steady').expect(200);
    expect(one.forecast).toEqual(item.forecast);
  });

  it('is null without readings, with less than 3 days of them, and when they are too old', async () => {
    await writeReadings(sql, 'new', steady(2, 2, 50));
    await writeReadings(sql, 'slow', steady(20, 2, 50, now - 31 * DAY));
    await forecasting.run();
    const none = {
      made_at: null,
      level: null,
      percent_per_day: null,
      alert: null,
      empty: null,
      accuracy: null,
    };
    for (const tank_id of ['new', 'slow', 'unread'])
      expect(await forecastOf(tank_id)).toEqual({ object: 'forecast', tank_id, ...none, data: [] });
    await api.get('/v1/tanks/nobody/forecast').expect(404);
  });

  it('has no alert while the tank is low, nor after it until it is made anew', async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 50));
    await forecasting.run();
    await report(1, 15);
    expect(await forecastOf('steady')).toMatchObject({ level: 50, alert: null });
    await report(2, 49);
    expect((await forecastOf('steady')).alert).toBeNull();
    now += 7 * HOUR;
    await forecasting.run();
    const forecast = await forecastOf('steady');
    expect(forecast.alert).not.toBeNull();
    // One odd reading moves what was reported, not the forecast.
    expect(Math.abs(forecast.level - (50 - 14 / 24))).toBeLessThan(1);
  });

  it('goes on in silence, and what is reached is the hour it was made', async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 25, now - 10 * DAY));
    await forecasting.run();
    const forecast = await forecastOf('steady');
    expect(forecast.level).toBeCloseTo(5, 1);
    const hour = day(0);
    expect(forecast.alert).toEqual({ p10: hour, p50: hour, p90: hour });
  });

  it('is gone with a deleted tank, and comes back when it is made anew', async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 50));
    await forecasting.run();
    await sql.query(`update tanks set deleted = true where id = 'steady'`);
    await api.get('/v1/tanks/steady/forecast').expect(404);
    await sql.query(`update tanks set deleted = false where id = 'steady'`);
    expect((await forecastOf('steady')).made_at).toBeNull();
    await forecasting.run();
    expect((await forecastOf('steady')).made_at).not.toBeNull();
  });

  it('is no change: nothing of it is in the feed, and updated_at stays', async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 50));
    const before = (await api.get('/v1/tanks/steady').expect(200)).body;
    const notes = async () => (await sql.query('select count(*) from change_notes')).rows[0].count as string;
    const noted = await notes();
    await forecasting.run();
    expect((await api.get('/v1/tanks/steady').expect(200)).body).toEqual(before);
    expect(await notes()).toBe(noted);
  });
});

/** A reading comes after an hour, and half an hour later the background work goes round: the level that the forecast begins with. */
const levelAfter = async (fill: number): Promise<number> => {
  await report(1, fill);
  now += 1.5 * HOUR;
  await forecasting.run();
  const { made_at, level, percent_per_day } = await forecastOf('steady');
  expect(made_at).toBe(day(0));
  expect(percent_per_day).toBeCloseTo(2, 1);
  return level;
};

describe('making anew', () => {
  beforeEach(async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 50));
    await forecasting.run();
  });

  it('comes with a new reading after six hours, not before', async () => {
    const first = await madeAt();
    await report(1, 49.9);
    now += 2 * HOUR;
    await forecasting.run();
    expect(await madeAt()).toBe(first);
    now += 5 * HOUR;
    await forecasting.run();
    expect(await madeAt()).toBe(day(0));
  });

  it('comes with a refill at once, from its level, and again with the reading that confirms it', async () => {
    expect(await levelAfter(90)).toBeCloseTo(90 - 1 / 24, 1);
    expect(await levelAfter(89.8)).toBeCloseTo(89.8 - 1 / 24, 1);
    const first = await madeAt();
    await report(1, 89.7);
    now += 1.5 * HOUR;
    await forecasting.run();
    expect(await madeAt()).toBe(first);
  });

  it('comes with the reading that takes a refill back, and starts from the old level', async () => {
    expect(await levelAfter(90)).toBeGreaterThan(89);
    expect(await levelAfter(49.6)).toBeCloseTo(49.6, 0);
  });

  it('comes with a refill after a fall that nobody has confirmed, and with one that is not above what the forecast knew', async () => {
    await report(1, 20);
    await report(1.1, 14);
    await report(1.2, 40);
    now += 1.5 * HOUR;
    await forecasting.run();
    expect((await forecastOf('steady')).level).toBeCloseTo(40, 0);
  });

  it('comes when the threshold has changed', async () => {
    await sql.query(`update tanks set min_fill_alert_percentage = 30 where id = 'steady'`);
    now += HOUR / 2;
    await forecasting.run();
    const forecast = await forecastOf('steady');
    expect(forecast.made_at).toBe(day(0));
    expect(Date.parse(forecast.alert.p50)).toBeLessThan(now + 10.1 * DAY);
  });

  it('comes when the threshold was raised above the level and put back before the next look', async () => {
    const { alert } = await forecastOf('steady');
    expect(alert).not.toBeNull();
    for (const threshold of [95, 20])
      await sql.query(`update tanks set min_fill_alert_percentage = ${threshold} where id = 'steady'`);
    await forecasting.run();
    expect((await forecastOf('steady')).alert).toEqual(alert);
  });

  it('comes once a night, and counts late readings from then on', async () => {
    const late = steady(20, 2, 90, now - 20 * DAY - 6 * HOUR);
    await writeReadings(sql, 'steady', late);
    await sql.query('select place_changes()');
    await forecasting.run();
    const days = async () =>
      (await sql.query<{ n: number }>(`select octet_length(days) / 5 as n from tank_curves`)).rows[0]?.n ?? 0;
    const before = await days();
    now += DAY;
    await forecasting.run();
    expect(await madeAt()).toBe(day(0));
    expect(await days()).toBe(before + 21);
  });
});

/** Who reaches the alert before. */
const dueBefore = (at: string, more = '') => inFleet(`?alert_before=${at}${more}`);

describe('the fleet by alert', () => {
  beforeEach(async () => {
    await writeReadings(sql, 'steady', steady(20, 2, 50));
    await writeReadings(sql, 'slow', steady(20, 1, 60));
    await writeReadings(sql, 'low', steady(20, 2, 10));
    await writeReadings(sql, 'new', steady(1, 2, 50));
    await forecasting.run();
  });

  it('is sorted: low tanks, then by alert, then those without one', async () => {
    expect(ids(await inFleet('?sort=alert_at'))).toEqual(['low', 'steady', 'slow', 'new', 'unread']);
    expect(ids(await inFleet('?sort=alert_at&owner_id=ours'))).toEqual(['steady', 'slow']);
    expect(ids(await inFleet('?sort=alert_at&low=false&size=2'))).toEqual(['steady', 'slow']);
  });

  it('is sorted by who is empty first, low or not: p50, then p10, then those without a forecast', async () => {
    expect(await emptyFirst()).toEqual(['low', 'steady', 'slow', 'new', 'unread']);
    expect(await emptyFirst('&low=false&size=2')).toEqual(['steady', 'slow']);
    expect(await emptyFirst('&owner_id=ours')).toEqual(['steady', 'slow']);
    const hours = { steady: '{9,null,null}', slow: '{7,20,30}', low: '{8,20,30}', new: '{null,null,null}' };
    const set = 'update tank_states set forecast_made_at = now(), empty_hours = $2 where tank_id = $1';
    for (const one of Object.entries(hours)) await sql.query(set, one);
    expect(await emptyFirst()).toEqual(['slow', 'low', 'steady', 'new', 'unread']);
    await api.get('/v1/fleet/tanks?sort=empty_at&silent=false&page=2&size=3').expect(200);
    await sql.query(`update tanks set deleted = true where id = 'slow'`);
    await sql.query(`update tanks set deleted = false where id = 'slow'`);
    expect(await emptyFirst()).toEqual(['low', 'steady', 'new', 'slow', 'unread']);
  });

  it('is filtered by the earliest alert, with exact totals, in any order and with any filter', async () => {
    const { alert } = await forecastOf('steady');
    for (const sort of ['alert_at', 'empty_at', 'fill_percentage', 'reported_at', 'created_at']) {
      const page = await inFleet(`?sort=${sort}&alert_before=${day(15)}`);
      expect(page.total_items).toBe(2);
      expect(ids(page).toSorted()).toEqual(['low', 'steady']);
    }
    const justBefore = new Date(Date.parse(alert.p10) - 1).toISOString();
    expect((await dueBefore(alert.p10)).total_items).toBe(2);
    expect((await dueBefore(justBefore)).total_items).toBe(1);
    expect(ids(await dueBefore(day(15), '&use_case=commercial'))).toEqual(['steady']);
    for (const filter of ['&owner_id=ours', '&low=false'])
      expect(ids(await dueBefore(day(170), `${filter}&sort=alert_at`))).toEqual(['steady', 'slow']);
    expect((await dueBefore('2000-01-01')).total_items).toBe(1);
    await api.get('/v1/fleet/tanks?alert_before=soon').expect(400);
  });

  it('counts what is low, deleted or of another use case by now', async () => {
    const far = day(170);
    expect((await inFleet(`?alert_before=${far}`)).total_items).toBe(3);
    await sql.query(`update tanks set use_case = 'industrial' where id = 'slow'`);
    expect(ids(await inFleet(`?alert_before=${far}&use_case=industrial`))).toEqual(['slow']);
    await writeReadings(sql, 'slow', [{ created_at: day(1 / 24), fill_percentage: 5 }]);
    expect((await inFleet(`?alert_before=${far}`)).total_items).toBe(3);
    await sql.query(`update tanks set deleted = true where id = 'steady'`);
    expect((await inFleet(`?alert_before=${far}`)).total_items).toBe(2);
  });
});

it('the season is learned anew in the night', async () => {
  const round = async () =>
    (await sql.query<{ round: string }>('select round from forecast_fleet')).rows[0]?.round;
  await writeReadings(sql, 'steady', steady(20, 2, 50));
  await forecasting.run();
  const begun = Number(await round());
  now += DAY;
  await forecasting.run();
  expect(Number(await round())).toBe(begun + 1);
});

it('the record holds what was forecast once a week, compared with what was used; never replayed history', async () => {
  await writeReadings(sql, 'steady', steady(30, 0.5, 60));
  await forecasting.run();
  const unknown = { forecasts: 0, within: null, earlier: null, mean_error: null, plain_error: null };
  const none = [1, 3, 7, 14, 28].map((days) => ({ days, ...unknown }));
  const known = { object: 'forecast_accuracy', since: null, until: null, skipped: 0 };
  expect(await accuracy()).toEqual({ ...known, horizons: none });
  // Its weeks begin on a day that depends on its key.
  for (let days = 1; days <= 22; days += 1) {
    now += DAY;
    await writeReadings(sql, 'steady', steady(1, 0.5, 60 - days * 0.5).slice(1));
    await forecasting.run();
  }
  const { horizons, since, until } = await accuracy();
  expect(horizons[0]).toMatchObject({ days: 1, within: 1, earlier: 0, mean_error: 0 });
  expect(horizons[0].forecasts).toBeGreaterThanOrEqual(2);
  expect(horizons[4].forecasts).toBe(0);
  expect(Date.parse(until) - Date.parse(since)).toBe((horizons[0].forecasts - 1) * 7 * DAY);
  expect((await accuracy('?owner_id=theirs')).horizons[0].forecasts).toBe(0);
  await sql.query(`update tanks set deleted = true where id = 'steady'`);
  expect((await accuracy()).horizons[0].forecasts).toBe(0);
});
