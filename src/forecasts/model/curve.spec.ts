import { describe, expect, it } from '@jest/globals';
import { DRAINED, SURE, TankCurve, useOfDay } from './curve.js';

function curveOf(readings: readonly (readonly [t: number, fill: number])[]): TankCurve {
  const curve = new TankCurve();
  for (const [t, fill] of readings) curve.push(t, fill);
  return curve;
}
const steady = (days: number, perDay: number, from = 100): [number, number][] =>
  Array.from({ length: days * 4 }, (_, i) => [100 + i / 4, from - (i * perDay) / 4]);

describe('the curve of a tank', () => {
  it('knows the use of each day', () => {
    const curve = curveOf(steady(10, 2));
    curve.endDay(110);
    expect(curve.lastMidnight).toBe(109);
    for (let day = 1; day < 9; day += 1) {
      expect(useOfDay(curve, day)).toBeCloseTo(2, 10);
      expect((curve.flags[day + 1] ?? 0) & SURE).toBe(SURE);
    }
  });

  it('takes a refill at its second reading, and goes on over it', () => {
    const curve = new TankCurve();
    const readings: [number, number][] = [
      [0, 50],
      [0.25, 49.5],
      [0.5, 90],
      [0.75, 89.5],
      [1, 89],
    ];
    expect(readings.map(([t, fill]) => curve.push(t, fill))).toEqual([false, false, false, true, false]);
    expect(curve.standing(1)?.level).toBeCloseTo(89, 0);
    expect(curve.state.used).toBeLessThan(2);
  });

  it('leaves a wrong reading out', () => {
    const right = curveOf([
      [0, 50],
      [0.25, 49.5],
      [0.75, 48.5],
      [1, 48],
    ]);
    const withWrong = curveOf([
      [0, 50],
      [0.25, 49.5],
      [0.5, 79],
      [0.75, 48.5],
      [1, 48],
    ]);
    expect(withWrong.standing(1)).toEqual(right.standing(1));
  });

  it('counts a large step down that is confirmed as drained, not as used', () => {
    const curve = curveOf([...steady(3, 1), [103, 40], [103.25, 39.8], [104, 39]]);
    curve.endDay(105);
    expect(curve.state.used).toBeLessThan(6);
    expect(curve.flags.some((flags) => (flags & DRAINED) !== 0)).toBe(true);
  });

  it('knows at a night what was known then, whatever has come since', () => {
    const readings = steady(12, 1).filter(([t]) => t < 104 || t >= 107); // silent for three days
    const whole = curveOf(readings);
    whole.endDay(112);
    for (let night = 101; night <= 112; night += 1) {
      const then = curveOf(readings.filter(([t]) => t < night));
      then.endDay(night);
      expect(whole.midnightsAt(night)).toBe(then.mid.length);
      expect(whole.mid.slice(0, then.mid.length)).toEqual(then.mid);
    }
  });

  it('says which midnights are a guess over a gap', () => {
    const curve = curveOf([...steady(3, 1), [110, 88], [110.5, 87.5]]);
    curve.endDay(111);
    expect((curve.flags.at(-1) ?? 0) & SURE).toBe(0);
  });
});
