// The method as a whole, on a slice of real deliveries (test/forecasts/heating-oil/README.md), against the numbers of the study that found it.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { backtest } from './backtest.js';
import { DAY_MS } from '../common/datetime/datetime.js';
import type { Forecast } from './model/forecast.js';
import { HORIZONS } from './model/record.js';
import { Tank } from './model/tank.js';

/** Minutes since 1970 as steps, tenths of a point; every tenth midnight's position; levels by horizon, as they were and as the study forecast them. */
interface Slice {
  readonly tank: number;
  readonly minutes: readonly number[];
  readonly tenths: readonly number[];
  readonly midnights: readonly number[];
  readonly forecasts: readonly { night: number; truth: number[]; levels: number[][] }[];
}

const FILE = new URL('../../test/forecasts/heating-oil/slice.json.gz', import.meta.url);
const slices = JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as Slice[];
const NEVER = Date.now();

function tankOf({ minutes, tenths }: Slice, change = (fill: number, _t: number): number => fill): Tank {
  const tank = new Tank(undefined, undefined, 7);
  let minute = 0;
  const moments = minutes.map((step) => (minute += step) / 1440);
  const fills = tenths.map((tenth, i) => change(tenth / 10, moments[i] ?? 0));
  tank.advance(moments, fills, Math.ceil(minute / 1440));
  return tank;
}

function replay(tanks: readonly Tank[], until = NEVER): Map<string, Forecast> {
  const made = new Map<string, Forecast>();
  const ones = tanks.map((tank, i) => ({ tank, owner_id: 'ours', tankId: slices[i]?.tank ?? 0 }));
  for (const night of backtest(ones, until)) {
    for (const { one, forecast } of night.made) made.set(`${one.tankId} ${night.night}`, forecast);
  }
  return made;
}

const pinball = (truth: number, levels: readonly number[]): number =>
  [0.1, 0.5, 0.9].reduce((sum, q, i) => {
    const error = truth - (levels[i] ?? NaN);
    return sum + Math.max(q * error, (q - 1) * error) / 3;
  }, 0);

const forecasts = replay(slices.map((slice) => tankOf(slice)));

describe('forecasts on real deliveries', () => {
  it('come from the same curves as those of the study', () => {
    for (const slice of slices) {
      const { curve } = tankOf(slice);
      const tenth = curve.mid.slice(1).filter((_, i) => i % 10 === 0);
      slice.midnights.forEach((position, i) => expect(tenth[i]).toBeCloseTo(position, 2));
    }
  });

  /** Not equal: of fewer than 30 tanks, neighbouring days count here as well, which pays in small fleets. */
  it('are as good as those of the study', () => {
    let ours = 0;
    let theirs = 0;
    let within = 0;
    let theirsWithin = 0;
    let n = 0;
    for (const slice of slices) {
      for (const { night, truth, levels } of slice.forecasts) {
        const forecast = forecasts.get(`${slice.tank} ${night}`);
        HORIZONS.forEach((days, i) => {
          const made = forecast?.levelAfter(days) ?? [NaN, NaN, NaN];
          const level = truth[i] ?? NaN;
          ours += pinball(level, made);
          const [low = NaN, middle = NaN, high = NaN] = levels[i] ?? [];
          theirs += pinball(level, [low, middle, high]);
          theirsWithin += Number(level >= low && level <= high);
          within += Number(level >= made[0] && level <= made[2]);
          n += 1;
        });
      }
    }
    expect(n).toBeGreaterThan(3_000);
    expect(ours).toBeLessThan(theirs * 1.005);
    expect(within / n).toBeGreaterThan(theirsWithin / n - 0.01);
  });

  it('see nothing of the future', () => {
    const last = Math.max(...slices.flatMap((slice) => slice.forecasts.map(({ night }) => night)));
    const cut = last - 40;
    const spoiled = replay(
      slices.map((slice) => tankOf(slice, (fill, t) => (t < cut ? fill : 100 - fill))),
      cut * DAY_MS,
    );
    const untouched = [...forecasts].filter(([, { prediction }]) => prediction.night <= cut);
    expect(untouched.length).toBeGreaterThan(300);
    expect(spoiled.size).toBe(untouched.length);
    for (const [key, forecast] of untouched) {
      expect(spoiled.get(key)?.levelAfter(28)).toEqual(forecast.levelAfter(28));
      expect(spoiled.get(key)?.daysTo(20)).toEqual(forecast.daysTo(20));
    }
  });

  it('have quantiles in their order, and days that fit the levels', () => {
    for (const forecast of forecasts.values()) {
      const [p10, p50, p90] = forecast.daysTo(20);
      expect(p10 <= p50 && p50 <= p90).toBe(true);
      const [low, middle, high] = forecast.levelAfter(14);
      expect(low <= middle && middle <= high).toBe(true);
      expect(Math.sign(p50 - 14) * Math.sign(middle - 20)).toBeGreaterThanOrEqual(0);
    }
  });
});
