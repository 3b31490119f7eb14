// What a customer may be, and in which words it is refused, by an import and by a request.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { getMetadataArgsStorage } from 'typeorm';
import { messageOf } from '../validation/fault.js';
import type { Source } from '../fields/field.js';
import { readObject, type JsonRecord } from '../fields/resource.js';
import { Customer } from './customer.entity.js';
import { CUSTOMER } from './customer.fields.js';
import { CustomerResponse } from './dto/customer.response.js';

const WHOLE = { email: 'e', name: 'n', is_verified: false };
const NOON = '2026-01-01T12:00:00Z';

function faultsOf(sent: JsonRecord, source: Source): string[] {
  const { faults } = readObject(CUSTOMER, sent, source);
  return faults.map((fault) => `${fault.pointer}: ${messageOf(fault)}`);
}

describe('a customer', () => {
  it.each<[JsonRecord, string]>([
    [{ email: undefined }, '/email: email is missing'],
    [{ email: '' }, '/email: email must not be empty'],
    [{ email: 'x'.repeat(321) }, '/email: email is longer than 320 characters'],
    [{ phone: 7 }, '/phone: phone must be a string: 7'],
    [{ is_verified: null }, '/is_verified: is_verified must be true or false: null'],
    [
      { last_seen_at: '2026-01-31' },
      '/last_seen_at: last_seen_at must be a datetime such as 2026-01-31T08:15:30Z: "2026-01-31"',
    ],
    [{ verified_at: NOON }, '/verified_at: verified_at must be null unless is_verified is true'],
    [{ emial: 'x' }, '/emial: unknown field: "emial"; did you mean email?'],
    [
      { colour: 1 },
      '/colour: unknown field: "colour"; there are: id, object, created_at, updated_at, deleted, tank_count, email, name, phone, ' +
        'is_verified, verified_at, last_seen_at',
    ],
  ])('is refused for %j, by an import and by a request', (wrong, message) => {
    expect(faultsOf({ ...WHOLE, ...wrong }, 'line')).toEqual([message]);
    expect(faultsOf({ ...WHOLE, ...wrong }, 'request')).toEqual([message]);
  });

  it('has values as they are stored, instants in milliseconds', () => {
    const sent = { ...WHOLE, is_verified: true, verified_at: NOON };
    expect(readObject(CUSTOMER, sent, 'line')).toEqual({
      values: ['e', 'n', null, true, Date.parse(NOON), null],
      faults: [],
    });
  });

  it('says in an import whether it is verified; in a request it is not, unless it says so', () => {
    const { email, name } = WHOLE;
    expect(faultsOf({ email, name }, 'line')).toEqual(['/is_verified: is_verified is missing']);
    expect(faultsOf({ email, name }, 'request')).toEqual([]);
    expect(faultsOf({ email, name, verified_at: NOON }, 'request')).toEqual([
      '/verified_at: verified_at must be null unless is_verified is true',
    ]);
  });

  it('may have an empty name in an import, not in a request', () => {
    expect(faultsOf({ ...WHOLE, name: '' }, 'line')).toEqual([]);
    expect(faultsOf({ ...WHOLE, name: '' }, 'request')).toEqual(['/name: name must not be empty']);
  });

  it('is described as the API shows it, in the same order', () => {
    expect(Object.keys(new CustomerResponse())).toEqual(CUSTOMER.shown);
  });

  it('is described as it is stored', () => {
    const columns = getMetadataArgsStorage().filterColumns(Customer);
    const stored = columns.map(({ propertyName, options }) => [
      options.name ?? propertyName,
      options.nullable ?? false,
    ]);
    const own = CUSTOMER.fields.map(({ column, nullable = false }) => [column, nullable]);
    const others = ['id', 'created_at', 'updated_at', 'deleted'].map((column) => [column, false]);
    expect(new Set(own.concat(others).map(String))).toEqual(new Set(stored.map(String)));
  });

  it('is written with all its fields over HTTP', () => {
    const sql = readFileSync(new URL('sql/write_customer.sql', import.meta.url), 'utf8');
    const inserted = sql.slice(sql.indexOf('values ('), sql.indexOf('on conflict'));
    for (const { column } of CUSTOMER.fields) {
      expect(inserted).toMatch(new RegExp(`fresh\\.${column}\\b`));
      expect(sql).toMatch(new RegExp(`\\b${column} = fresh\\.${column}\\b`));
    }
  });
});
