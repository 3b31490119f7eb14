// Which format an Accept header asks for.
import { describe, expect, it } from '@jest/globals';
import { Problem } from '../problems/problem.js';
import { negotiate } from './media-types.js';

const JSON_TYPE = 'application/json';
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const JSONL = 'application/jsonl';

describe('an Accept header', () => {
  it.each([
    ['is not sent', undefined, JSON_TYPE],
    ['is empty', '', JSON_TYPE],
    ['holds nothing but commas', ' , ,', JSON_TYPE],
    ['takes anything', '*/*', JSON_TYPE],
    ['takes anything, a little', '*/*;q=0.1', JSON_TYPE],
    ['takes any application', 'application/*', JSON_TYPE],
    ['takes any text', 'text/*', CSV],
    ['names JSON', 'application/json', JSON_TYPE],
    ['names CSV', 'text/csv', CSV],
    ['names NDJSON', 'application/x-ndjson', NDJSON],
    ['names NDJSON by its other name', 'application/jsonl', JSONL],
    ['is written in capitals', 'TEXT/CSV;Q=1', CSV],
    ['has other parameters', 'text/csv; header=present; charset=utf-8', CSV],
    ['has separators within quotes', 'text/csv;note="a,b;q=0\\"", application/json;q=0.5', CSV],
    ["is a browser's", 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
    ["is a common client's", 'application/json, text/plain, */*', JSON_TYPE],
    ['wants one more than the other', 'application/json;q=0.5, text/csv;q=0.9', CSV],
    ['wants one as much as the other, the first named', 'application/x-ndjson, text/csv', NDJSON],
    ['wants one as much as the other, the more exactly named', '*/*, text/csv', CSV],
    ['wants one as much as any of its kind', 'application/*, text/csv', CSV],
    ['wants one kind as much as another, the first named', 'text/*, application/*', CSV],
    ['wants anything more than the one it names', 'text/csv;q=0.5, */*', JSON_TYPE],
    ['wants anything but JSON', 'application/json;q=0, */*', CSV],
    ['wants anything but what is usual', 'application/json;q=0, text/*;q=0.000, */*', NDJSON],
    ['wants JSON less than any other of its kind', 'application/json;q=0.1, application/*;q=0.5', NDJSON],
    ['says the same twice', 'text/csv;q=0.2, application/json;q=0.5, text/csv;q=0.8', CSV],
    ['weighs with three digits', 'text/csv;q=0.123, application/json;q=0.122', CSV],
    ['has a weight without its zero', 'text/csv;q=.4, application/json;q=0.3', CSV],
    ['holds what cannot be understood', 'nonsense, text/csv;q=high, application/jsonl;q=0.1', JSONL],
  ])('that %s', (_, accept, expected) => {
    expect(negotiate(accept)).toBe(expected);
  });

  it.each([
    'text/html',
    'text/csv;q=0',
    'text/*;q=1, text/csv;q=0',
    '*/*;q=0',
    'application/xml, text/plain',
    'nonsense',
    'application/json;q=2',
    '*/csv',
  ])('that takes nothing there is is refused: %s', (accept) => {
    expect(() => negotiate(accept)).toThrow(Problem);
    expect(() => negotiate(accept)).toThrow(
      'application/json, text/csv, application/x-ndjson, application/jsonl',
    );
  });
});
