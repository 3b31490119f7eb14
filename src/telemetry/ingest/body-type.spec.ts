import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../common/problems/problem.js';
import { requireType } from '../../common/bodies/content-type.js';
import { findBodyFormat, READINGS_BODY } from './body-type.js';

function formatOf(type: string): string | number {
  try {
    requireType({ 'content-type': type }, READINGS_BODY);
    return findBodyFormat(type);
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
}

describe('a Content-Type', () => {
  it.each([
    ['application/json', 'json'],
    [' Application/JSON ', 'json'],
    ['application/x-ndjson;', 'ndjson'],
    ['application/jsonl ; ;', 'ndjson'],
    ['text/csv;header=present;charset=UTF-8', 'csv'],
    ['text/csv; charset = "utf8" ; charset=utf-8', 'csv'],
    ['text/csv; a="x;y\\"; charset=latin1"; charset=utf-8', 'csv'],
    ['text/csv; a=', 'csv'],
  ])('may be %s', (type, format) => {
    expect(formatOf(type)).toBe(format);
  });

  it.each([
    '',
    'json',
    'application/json, text/csv',
    'application/json charset=utf-8',
    'application/json; charset',
    'application/json; =utf-8',
    'application/json; charset=',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8"',
    'application/json; charset="utf-8"x',
    'application/json; charset=utf 8',
    `application/json${';a=  '.repeat(40)}"`,
    `application/json${';a="b" '.repeat(2_000)}=`,
    `application/json;a="${'\\\\'.repeat(8_000)}`,
    `application/json;${' '.repeat(16_000)}"`,
  ])('must not be %s', (type) => {
    expect(formatOf(type)).toBe(415);
  });
});
