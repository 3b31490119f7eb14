// The rules of alerts as a table: readings in, events out.
import { describe, expect, it } from '@jest/globals';
import { fc } from '../../test/support/cases.js';
import { isLow, NUMBERS, type Reading } from '../rules.js';
import { judge, type JudgeInput } from './judge.js';

const NOW = Date.UTC(2026, 10, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Levels ten minutes apart, oldest first; the newest is a minute old. */
function every10Minutes(...fills: number[]): Reading[] {
  return fills
    .map((fill, i) => ({ at: NOW - MINUTE - (fills.length - 1 - i) * 10 * MINUTE, fill }))
    .toReversed();
}

/** Of a tank whose last reading alone is new, unless said otherwise. */
function judged(readings: readonly Reading[], tank: Partial<JudgeInput> = {}) {
  return judge({
    threshold: 20,
    knownThreshold: tank.threshold ?? 20,
    known: readings[1],
    wasSilent: false,
    wasRestored: false,
    goesOn: false,
    writes: [{ at: NOW, reached: readings[0]?.at }],
    isSilent: false,
    readings,
    low: false,
    silenceReported: false,
    ...tank,
  });
}

const typesOf = (...parameters: Parameters<typeof judged>): string[] =>
  judged(...parameters).events.map(({ type }) => type);

describe('a level', () => {
  it.each<[string, number[], Partial<JudgeInput>, string[]]>([
    ['at the threshold is low', [40, 30, 20], {}, ['tank.low']],
    ['above it is not', [40, 30, 20.1], {}, []],
    ['that is low already is no news', [30, 19, 18], { low: true }, []],
    ['that wavers above the threshold has not recovered', [21, 22, 24.9], { low: true }, []],
    ['five points above it has', [24.9, 24.9, 25], { low: true }, ['tank.recovered']],
    [
      'of 100 has, however near the threshold is',
      [97, 98, 100],
      { low: true, threshold: 98 },
      ['tank.recovered'],
    ],
    ['that fell by more than 20 points waits for a second one', [60, 60, 10], {}, []],
    ['that fell by 20 does not', [40, 40, 20], {}, ['tank.low']],
    ['is rounded before it is compared', [40, 40.1, 20.1], { threshold: 20.1 }, ['tank.low']],
    ['that rose by five above the two before it was refilled', [60, 60, 65], {}, ['tank.refilled']],
    ['that rose by five above one of them was not', [65, 60, 65], {}, []],
    [
      'may be several events',
      [10, 10, 90],
      { low: true, silenceReported: true },
      ['tank.reporting', 'tank.refilled', 'tank.recovered'],
    ],
  ])('%s', (_, fills, tank, events) => {
    expect(typesOf(every10Minutes(...fills), tank)).toEqual(events);
  });

  it('near the one before it is no event of any rule, so that ingest need not ask', () => {
    const level = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);
    const quiet = fc
      .record({ levels: fc.array(level, { minLength: 2, maxLength: 12 }), threshold: level })
      .filter(({ levels, threshold }) => {
        const [before = 0, newest = 0] = levels.slice(-2);
        const isNear = Math.abs(newest - before) < NUMBERS.QUIET_CHANGE;
        return isNear && newest <= NUMBERS.QUIET_LEVEL_MOST && !isLow({ at: 0, fill: newest }, threshold);
      });
    const property = fc.property(quiet, ({ levels, threshold }) => {
      expect(typesOf(every10Minutes(...levels), { threshold })).toEqual([]);
    });
    fc.assert(property);
  });

  it('that fell by more than 20 points and stays there is low, and so is one after a long silence', () => {
    const readings = every10Minutes(60, 60, 10, 11);
    expect(typesOf(readings, { known: readings[2] })).toEqual(['tank.low']);
    expect(
      typesOf([
        { at: NOW, fill: 10 },
        ...every10Minutes(60, 60, 60, 60).map(({ at, fill }) => ({ at: at - DAY, fill })),
      ]),
    ).toEqual(['tank.low']);
  });

  it('is judged reading by reading, in the order of their times', () => {
    const readings = every10Minutes(30, 15, 30, 15);
    const { events, low } = judged(readings, { known: readings[3] });
    expect(events.map(({ type, reading, before }) => [type, reading.fill, before?.fill])).toEqual(
      [
        ['tank.low', 15, 30],
        ['tank.refilled', 30, 15],
        ['tank.recovered', 30, 15],
        ['tank.low', 15, 30],
      ].filter(([type]) => type !== 'tank.refilled'),
    );
    expect(low).toBe(true);
  });
});

const old = (age: number): Reading[] => [
  { at: NOW - age, fill: 10 },
  { at: NOW - age - HOUR, fill: 12 },
];

describe('history', () => {
  it('is what is older than a day when it is written, and causes nothing', () => {
    expect(typesOf(old(DAY + 1))).toEqual([]);
    expect(typesOf(old(DAY))).toEqual(['tank.low']);
  });

  it('is decided by when each reading was written, however late it is judged', () => {
    const [reading] = old(3 * DAY);
    if (reading === undefined) throw new Error('There is one.');
    const whenItWasFresh = { at: reading.at + MINUTE, reached: reading.at };
    const news = { at: NOW, fill: 50 };
    const readings = [news, ...old(3 * DAY)];
    const lateWrite = { at: NOW, reached: news.at };
    expect(typesOf(readings, { known: readings[2], writes: [whenItWasFresh, lateWrite] })).toContain(
      'tank.low',
    );
    expect(typesOf(readings, { known: readings[2], writes: [lateWrite] })).not.toContain('tank.low');
  });
});

describe('silence', () => {
  const silent = { known: undefined, isSilent: true } as const;

  it('is an event once, with the newest reading', () => {
    const readings = every10Minutes(50, 50, 50).map(({ at, fill }) => ({ at: at - 2 * HOUR, fill }));
    const tank = { ...silent, known: readings[0] };
    expect(judged(readings, tank)).toMatchObject({
      events: [{ type: 'tank.silent' }],
      silenceReported: true,
    });
    expect(typesOf(readings, { ...tank, silenceReported: true })).toEqual([]);
    expect(typesOf(readings, { ...tank, wasSilent: true })).toEqual([]);
  });

  it('of history is marked quietly', () => {
    expect(judged([{ at: NOW - 3 * DAY, fill: 50 }], silent)).toEqual(
      expect.objectContaining({ events: [], silenceReported: false }),
    );
  });

  it('ends with a newer reading, and never ends low', () => {
    expect(judged(every10Minutes(15, 15, 15), { low: true, silenceReported: true })).toMatchObject({
      events: [{ type: 'tank.reporting' }],
      low: true,
      silenceReported: false,
    });
  });
});

describe('another state', () => {
  it('by a threshold that moved is judged at once, by the level alone', () => {
    const readings = every10Minutes(60, 40);
    const tank = { known: readings[0], threshold: 50, knownThreshold: 20 };
    expect(typesOf(readings, tank)).toEqual(['tank.low']);
  });

  it('by another value of the newest reading is judged without refills', () => {
    const readings = every10Minutes(50, 50, 10);
    const known = { at: readings[0]?.at ?? 0, fill: 50 };
    expect(typesOf(readings, { known })).toEqual([]); // a fall of 40 waits
    expect(typesOf(every10Minutes(30, 30, 10), { known: { ...known, fill: 30 } })).toEqual(['tank.low']);
    expect(typesOf(every10Minutes(50, 50, 90), { known: { ...known, fill: 50 } })).toEqual([]);
  });

  it('of a restored tank is set without an event', () => {
    expect(judged(every10Minutes(40, 10), { wasRestored: true })).toMatchObject({ events: [], low: true });
  });
});
