// Paths: where they lead, and where they never do.
import { describe, expect, it } from '@jest/globals';
import { jsonIn, pathFault, valueAt } from './path.js';

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

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('in what senders send, a path', () => {
  const message: unknown = JSON.parse(
    `{"gws":[{"rssi":-112},{"rssi":-90}],"n":[{"name":"Tank 1","v":7},{"name":2,"v":8},{"name":"a]b","v":9}],
      "Level[mm]":5,"a.b":6,"x[y":1,"x[1]y":2,"q":{"":0,"2":"two"},"data":"{\\"deep\\":\\"[{\\\\\\"t\\\\\\":42}]\\"}",
      "text":"{no json","pow:0":{"percent":61}}`,
  );

  it.each([
    ['gws[0].rssi', -112],
    ['gws.1.rssi', -90],
    ['n[name=Tank 1].v', 7],
    ['n[name=2].v', 8],
    ['n[name=a\\]b].v', 9],
    ['n[0][name=Tank 1]', undefined],
    ['n[name=Tank 9].v', undefined],
    ['gws[name=x]', undefined],
    ['Level[mm]', 5],
    ['a\\.b', 6],
    ['x\\[y', 1],
    ['x[y', 1],
    ['x[1]y', 2],
    ['q[2]', 'two'],
    ['data.deep[0].t', 42],
    ['text.no', undefined],
    ['text[0]', undefined],
    ['pow:0.percent', 61],
  ])('%s leads to %j', (path, value) => {
    expect(pathFault(path)).toBeUndefined();
    expect(valueAt(message, path)).toBe(value);
  });

  it('begins at an array, too', () => {
    const records = [
      { n: 'temp', v: 1 },
      { n: 'level', v: 2 },
    ];

    expect(valueAt(records, '[n=level].v')).toBe(2);
    expect(valueAt(records, '1.v')).toBe(2);
    expect(valueAt(JSON.stringify(records), '[n=level].v')).toBe(2);
  });

  it.each(['', '.a', 'a.', 'a..b', 'a[0].', 'a\\', `a${'.b'.repeat(20)}`, 'x'.repeat(201), 'a\0', 5, null])(
    'is refused as %j',
    (path) => expect(pathFault(path)).toBeDefined(),
  );

  it('takes texts that are JSON with the bounds of a body only', () => {
    expect(jsonIn(nested(45))).toBeDefined();
    expect(jsonIn(nested(46))).toBeUndefined();
    expect(jsonIn(`[${Array.from({ length: 5_000 }, () => '[]').join()}]`)).toBeUndefined();
    expect(jsonIn(' {"a":1} ')).toEqual({ a: 1 });
  });
});
