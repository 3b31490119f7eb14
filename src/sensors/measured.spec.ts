import { describe, expect, it } from '@jest/globals';
import { readBattery, readLevel, readTemperature } from './measured.js';

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
    ['64,5 %', 64.5, 'percent'],
    ['64 percent', 64, 'percent'],
    ['1.5 M', 1.5, 'm'],
    ['10 In', 10, 'in'],
    ['3  ft', 3, 'ft'],
  ])('may be %j', (value, number, unit) => {
    expect(readLevel(value, { unit: 'mm' })).toEqual({ value: number, unit });
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
    '1,5,2',
    '1,234.5',
    ',5',
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
    expect(readLevel(value, { unit: 'mm' })).toBeUndefined();
  });

  it.each([
    [1.25, 1.25],
    ['1.25 bar', 1.25],
    ['12.5mA', 12.5],
    ['64%', 64],
    ['5 raw', 5],
    ['800 kg/m³', 800],
    ['1 ℓ', 1],
    [`7 ${'u'.repeat(16)}`, 7],
    [`7 ${'u'.repeat(17)}`, undefined],
    ['1,25 bar', 1.25],
    ['1.25.3', undefined],
    ['5 m2', undefined],
    ['5 ', undefined],
    ['bar', undefined],
    ['', undefined],
    [true, undefined],
  ])('that is raw may have any unit behind it: %j is %j', (value, number) => {
    expect(readLevel(value, { unit: 'raw' })?.value).toBe(number);
  });

  it('of another kind is never raw', () => {
    expect(readLevel('5 raw', { unit: 'mm' })).toBeUndefined();
  });

  it.each([
    ['mm', 100, 200],
    ['mm', '10 cm', 200],
    ['cm', '10 mm', 11],
    ['raw', '10 cm', 20],
  ] as const)('in %s, %j is multiplied after its unit was applied', (unit, value, number) => {
    const scale = unit === 'cm' ? { offset: 10 } : { factor: 2 };
    expect(readLevel(value, { unit, ...scale })).toEqual({ value: number, unit });
  });

  it('is multiplied, then added to; a percentage where a length was expected stays one', () => {
    expect(readLevel(10, { unit: 'raw', factor: -0.5, offset: 3 })).toEqual({ value: -2, unit: 'raw' });
    expect(readLevel('64%', { unit: 'mm', factor: 0.5 })).toEqual({ value: 32, unit: 'percent' });
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
    for (const text of texts) expect(readLevel(text, { unit: 'mm' })).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(5_000); // quadratic, it would be minutes
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

describe('a battery between empty and full', () => {
  const VOLTS = { empty: 2.5, full: 3.6 };
  it.each([
    [3.6, 100],
    [2.5, 0],
    [3.05, 50],
    ['3.05 V', 50],
    [3.3, 73],
    [4.2, 100],
    [0, 0],
    ['3.05,5', null],
    ['full', null],
    [null, null],
  ])('that is %j is %j', (value, battery) => {
    expect(readBattery(value, VOLTS)).toBe(battery);
  });

  it('may fall, and has a factor and an offset, as a percentage has', () => {
    expect(readBattery(3050, { ...VOLTS, factor: 0.001 })).toBe(50);
    expect(readBattery(1, { empty: 4, full: 0 })).toBe(75);
    expect(readBattery(127, { factor: 100 / 254 })).toBe(50);
    expect(readBattery(3, { factor: 100 })).toBeNull();
    expect(readBattery(1e308, { empty: -1e308, full: 1e308, factor: 10 })).toBeNull();
  });
});

describe('a temperature', () => {
  it('has a factor and an offset', () => {
    expect(readTemperature('250 °C', { factor: 0.1, offset: -5 })).toBe(20);
  });

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
