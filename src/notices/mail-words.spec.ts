import { describe, expect, it } from '@jest/globals';
import { counted, happening, safe } from './mail-words.js';

describe('a subject', () => {
  it.each([
    ['tank.low', 'Boiler house is low: 18 %'],
    ['tank.silent', 'Boiler house is silent'],
    ['tank.recovered', 'Boiler house has recovered: 18 %'],
    ['tank.refilled', 'Boiler house was refilled: 18 %'],
    ['tank.reporting', 'Boiler house reports again'],
  ] as const)('of one %s is "%s"', (type, subject) => {
    expect(happening('en', type, 'Boiler house', 18.2)).toBe(subject);
  });

  it.each([
    [[3, 1, 0, 0, 0], '3 tanks are low, 1 is silent'],
    [[1, 0, 2, 1, 0], '1 tank is low, 2 have recovered, 1 was refilled'],
    [[0, 0, 0, 0, 2], '2 tanks report again'],
  ])('of %j tanks is "%s"', (counts, subject) => {
    expect(counted('en', counts)).toBe(subject);
  });
});

describe('a name', () => {
  it.each([
    ['a\r\nBcc: b\u0000\u2028c', 'a Bcc: b c'],
    ['x\u202Egnp.exe\u2066', 'x gnp.exe'],
    ['https://evil.example www.evil.example', 'https: //evil.example www .evil.example'],
    ['نیم\u200Cفاصله 👩\u200D🚒', 'نیم\u200Cفاصله 👩\u200D🚒'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['😀'.repeat(10_000), `${'😀'.repeat(99)}…`],
  ])('is data: %j', (name, shown) => {
    expect(safe(name)).toBe(shown);
  });
});
