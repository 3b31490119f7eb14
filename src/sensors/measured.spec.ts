import { describe, expect, it } from '@jest/globals';
import { readBattery, readLevel, readTemperature, valueAt } from './measured.js';

describe('a path', () => {
  const payload: unknown = JSON.parse(
    '{"a":{"b":[1,{"c":2}],"":3,"n":null},"x.y":4,"__proto__":{"z":5},"01":{"0":6}}',
  );

  it.each([
    ['a.b.0', 1],
    ['a.b.1.c', 2],
    ['__proto__.z', 5],
    ['01.0', 6],
    ['a.n', null],
  ])('leads through own keys and places in arrays: %s', (path, value) => {
    expect(valueAt(payload, path)).toBe(value);
  });

  it.each([
    'b',
    'x.y',
    'a.b.2',
    'a.b.-1',
    'a.b.01',
    'a.b.length',
    'a.b.1e0',
    'a.n.m',
    'a.b.0.toFixed',
    'constructor',
    'constructor.name',
    'a.toString',
    `a${'.b'.repeat(99)}`,
  ])('leads nowhere else: %s', (path) => {
    expect(valueAt(payload, path)).toBeUndefined();
  });

  it('leads nowhere in what is no object', () => {
    for (const payloadOf of [undefined, null, 'text', 5, true])
      expect(valueAt(payloadOf, 'length')).toBeUndefined();
  });
});

describe('a level', () => {
  it.each([
    [2799, 2799, 'mm'],
    [-0, 0, 'mm'],
    ['2799', 2799, 'mm'],
    ['2799 mm', 2799, 'mm'],
    ['2799mm', 2799, 'mm'],
    ['-1.5e2 CM', -150, 'cm'],
    ['0.00', 0, 'mm'],
    ['64%', 64, 'percent'],
    ['64 percent', 64, 'percent'],
    ['1.5 M', 1.5, 'm'],
    ['10 In', 10, 'in'],
    ['3  ft', 3, 'ft'],
  ])('may be %j', (value, number, unit) => {
    expect(readLevel(value, 'mm')).toEqual({ value: number, unit });
  });

  it.each([
    '',
    ' ',
    'mm',
    '3.6 V',
    'No Sensor',
    ' 5',
    '5 ',
    '5 mm ',
    '+5',
    '05',
    '.5',
    '5.',
    '1,5',
    '0x10',
    '1e999',
    'NaN',
    'Infinity',
    '5 mm mm',
    '٥',
    true,
    false,
    null,
    undefined,
    [5],
    { value: 5 },
    NaN,
    Infinity,
  ])('is not a number: %j', (value) => {
    expect(readLevel(value, 'mm')).toBeUndefined();
  });

  it('of any length is read at once', () => {
    const long = 250_000;
    const texts = [
      '1'.repeat(long),
      `1${' '.repeat(long)}x`,
      '1e'.repeat(long),
      `1.${'0'.repeat(long)}x`,
      '-'.repeat(long),
    ];
    const start = performance.now();
    for (const text of texts) expect(readLevel(text, 'mm')).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('a battery', () => {
  it.each([
    [92, 92],
    ['92', 92],
    ['92 %', 92],
    [0, 0],
    [100, 100],
    [100.1, null],
    [-1, null],
    ['92 mm', null],
    ['3.6 V', null],
    [true, null],
    [null, null],
  ])('that is %j is %j', (value, battery) => {
    expect(readBattery(value)).toBe(battery);
  });
});

describe('a temperature', () => {
  it.each([
    [25.7, 25.7],
    ['25 ℃', 25],
    ['-3.5°C', -3.5],
    ['25 c', 25],
    ['25 F', null],
    ['25 %', null],
    ['warm', null],
    [undefined, null],
  ])('that is %j is %j', (value, temperature) => {
    expect(readTemperature(value)).toBe(temperature);
  });
});
