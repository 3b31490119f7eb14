import { describe, expect, it } from '@jest/globals';
import { FleetIndex } from './fleet-index.js';
import { Spread } from './spread.js';
import { Tank } from './tank.js';

const FIRST = 20_000;
const fleet = new FleetIndex();
const moments = Array.from({ length: 400 }, (_, i) => FIRST + i / 4 + 0.1);
const fills = moments.map((_, i) => 90 - ((i * 0.4) % 70));

function stored(tank: Tank): unknown {
  const { state, days } = tank.stored;
  return JSON.parse(JSON.stringify({ state, days: days.toString('hex') }));
}

describe('what is known of a tank', () => {
  it('is the same read at once or night by night, stored in between', () => {
    const atOnce = new Tank(3);
    atOnce.advance(moments, fills, FIRST + 100);
    let nightly = new Tank(3);
    for (let night = FIRST + 1; night <= FIRST + 100; night += 1) {
      const from = moments.findIndex((t) => t >= night - 1);
      nightly.advance(moments.slice(from, from + 4), fills.slice(from, from + 4), night);
      const { state, days } = nightly.stored;
      nightly = new Tank(3, { state: JSON.parse(JSON.stringify(state)), days });
    }
    expect(stored(nightly)).toEqual(stored(atOnce));
  });

  it('gives each error once, however often it catches up', () => {
    const tank = new Tank(3);
    tank.advance(moments, fills, FIRST + 100);
    const learned: string[] = [];
    const catchUp = () =>
      tank.catchUp(
        (night) => fleet.asOf(night),
        new Spread(),
        ({ bin, day }) => learned.push(`${day} ${bin}`),
      );
    catchUp();
    const once = learned.length;
    catchUp();
    expect(once).toBeGreaterThan(40);
    expect(learned).toHaveLength(once);
  });

  it('finds a constant use exactly', () => {
    const tank = new Tank(0);
    const few = moments.slice(0, 80);
    tank.advance(
      few,
      few.map((t) => 90 - 2 * (t - FIRST)),
      FIRST + 20,
    );
    const forecast = tank.forecast(fleet.asOf(FIRST + 20), new Spread(), FIRST + 20);
    expect(forecast?.perDay).toBeCloseTo(2, 6);
    expect(forecast?.level).toBeCloseTo(50, 6);
    expect(forecast?.daysTo(20)[1]).toBeCloseTo(15, 6);
  });

  it('begins the forecast with a refill at once, and learns nothing of one that is taken back', () => {
    const night = FIRST + 20;
    const steady = moments.filter((t) => t < FIRST + 60).map((t) => [t, 95 - (t - FIRST)] as const);
    const known = (...more: [t: number, fill: number][]): Tank => {
      const tank = new Tank(night % 7);
      const all = [...steady, ...more].toSorted(([a], [b]) => a - b);
      const until = (end: number) => {
        const some = all.filter(([t]) => t >= (end > night ? night : 0) && t < end);
        tank.advance(
          some.map(([t]) => t),
          some.map(([, fill]) => fill),
          end,
        );
      };
      until(night);
      const forecast = tank.forecast(fleet.asOf(night), new Spread(), night);
      expect(forecast?.level).toBeCloseTo(more.length === 0 ? 75 : 92, 0);
      expect(forecast?.perDay).toBeCloseTo(1, 6);
      until(FIRST + 60);
      tank.catchUp(
        (at) => fleet.asOf(at),
        new Spread(),
        () => undefined,
      );
      return tank;
    };
    expect(stored(known([night - 0.05, 92]))).toEqual(stored(known()));
  });

  it('tells nothing of a tank with less than three days, or silent for more than thirty', () => {
    const tank = new Tank(0);
    tank.advance(moments.slice(0, 10), fills.slice(0, 10), FIRST + 3);
    expect(tank.forecast(fleet.asOf(FIRST + 3), new Spread(), FIRST + 3)).toBeUndefined();
    tank.advance(moments.slice(10), fills.slice(10), FIRST + 100);
    expect(tank.forecast(fleet.asOf(FIRST + 129), new Spread(), FIRST + 129)).toBeDefined();
    expect(tank.forecast(fleet.asOf(FIRST + 131), new Spread(), FIRST + 131)).toBeUndefined();
  });

  it('is enough for the first forecast of a replay when three days lie between the first and the newest reading', () => {
    const tank = new Tank(undefined, undefined, 1);
    const twiceADay = Array.from({ length: 20 }, (_, i) => FIRST + i / 2);
    tank.advance(twiceADay, fills.slice(0, 20), FIRST + 10);
    const first = tank.nextPast(FIRST + 10, (night) => fleet.asOf(night), new Spread());
    expect(first?.prediction.night).toBe(FIRST + 4); // at the third midnight, the newest is 2.5 days after the first
  });
});
