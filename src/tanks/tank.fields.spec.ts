// What a tank may be, and in which words it is refused, by an import and by a request.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { getMetadataArgsStorage } from 'typeorm';
import { messageOf } from '../validation/fault.js';
import type { Source } from '../fields/field.js';
import { readObject, type JsonRecord } from '../fields/resource.js';
import { TankResponse } from './dto/tank.response.js';
import { Tank } from './tank.entity.js';
import { TANK } from './tank.fields.js';

const GOOD = { name: 'n', owner_id: 'o', capacity: 1, capacity_unit: 'liters' };
const WHOLE = { ...GOOD, assigned_device_id: 'd', min_fill_alert_percentage: 0, location: {} };

const withDevice = (length: number) => ({ ...WHOLE, assigned_device_id: '🛢'.repeat(length) });

function faultsOf(sent: JsonRecord, source: Source): string[] {
  const { faults } = readObject(TANK, sent, source);
  return faults.map((fault) => `${fault.pointer}: ${messageOf(fault)}`);
}

describe('a tank', () => {
  it.each<[JsonRecord, string]>([
    [{ name: undefined }, '/name: name is missing'],
    [{ name: null }, '/name: name must be a string: null'],
    [{ name: 7 }, '/name: name must be a string: 7'],
    [{ name: 'a\0b' }, '/name: name holds a NUL character'],
    [{ name: '\ud83d' }, '/name: name holds half a surrogate pair'],
    [{ owner_id: undefined }, '/owner_id: owner_id is missing'],
    [{ custom_id: false }, '/custom_id: custom_id must be a string: false'],
    [{ assigned_device_id: null }, '/assigned_device_id: assigned_device_id must be a string: null'],
    [{ capacity: '1' }, '/capacity: capacity must be a number: "1"'],
    [{ capacity: 0 }, '/capacity: capacity must be a number above 0: 0'],
    [{ capacity: Infinity }, '/capacity: capacity must be a number above 0: Infinity'],
    [{ capacity_unit: 'Liters' }, '/capacity_unit: capacity_unit must be one of liters, gallons: "Liters"'],
    [{ use_case: '' }, '/use_case: use_case must be one of residential, commercial, industrial: ""'],
    [
      { min_fill_alert_percentage: 100.5 },
      '/min_fill_alert_percentage: min_fill_alert_percentage must be from 0 to 100: 100.5',
    ],
    [
      { min_fill_alert_percentage: 99.5 },
      '/min_fill_alert_percentage: min_fill_alert_percentage must be an integer: 99.5',
    ],
    [{ location: [] }, '/location: location must be an object or null: []'],
    [
      { location: { latitude: -90.1 } },
      '/location/latitude: location.latitude must be from -90 to 90: -90.1',
    ],
    [
      { location: { longitude: 181 } },
      '/location/longitude: location.longitude must be from -180 to 180: 181',
    ],
    [{ location: { city: 1 } }, '/location/city: location.city must be a string: 1'],
    [
      { location: { 'lat/~itude': 1 } },
      '/location/lat~1~0itude: unknown field: "location.lat/~itude"; did you mean location.latitude?',
    ],
    [{ capacityunit: 1 }, '/capacityunit: unknown field: "capacityunit"; did you mean capacity_unit?'],
  ])('is refused for %j, by an import and by a request', (wrong, message) => {
    expect(faultsOf({ ...WHOLE, ...wrong }, 'line')).toEqual([message]);
    expect(faultsOf({ ...WHOLE, ...wrong }, 'request')).toEqual([message]);
  });

  it('is refused for all that is wrong at once, unknown fields last', () => {
    const wrong = { colour: 1, location: { town: 1, latitude: 91 }, use_case: 1 };
    const reasons = readObject(TANK, wrong, 'line').faults.map(({ pointer, reason }) => [pointer, reason]);
    expect(reasons).toEqual([
      ['/owner_id', 'owner_id is missing'],
      ['/name', 'name is missing'],
      ['/assigned_device_id', 'assigned_device_id is missing'],
      ['/capacity', 'capacity is missing'],
      ['/capacity_unit', 'capacity_unit is missing'],
      ['/use_case', 'use_case must be one of residential, commercial, industrial'],
      ['/min_fill_alert_percentage', 'min_fill_alert_percentage is missing'],
      ['/location/latitude', 'location.latitude must be from -90 to 90'],
      ['/location/town', 'unknown field'],
      ['/colour', 'unknown field'],
    ]);
  });

  it.each<[Source, number]>([
    ['line', 20],
    ['request', 100],
  ])('names only so many unknown fields of a %s', (source, named) => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`field${i}`, i]));
    expect(faultsOf({ ...WHOLE, ...many }, source)).toHaveLength(named);
  });

  it('is whole in an import, and has defaults in a request', () => {
    expect(faultsOf(GOOD, 'line')).toEqual([
      '/location: location is missing',
      '/assigned_device_id: assigned_device_id is missing',
      '/min_fill_alert_percentage: min_fill_alert_percentage is missing',
    ]);
    const { values, faults } = readObject(TANK, GOOD, 'request');
    expect(faults).toEqual([]);
    expect(Object.fromEntries(TANK.fields.map(({ name }, i) => [name, values[i]]))).toEqual({
      ...GOOD,
      assigned_device_id: '',
      min_fill_alert_percentage: 20,
      custom_id: null,
      use_case: null,
      'location.city': null,
      'location.country': null,
      'location.district': null,
      'location.latitude': null,
      'location.longitude': null,
      'location.postal_code': null,
      'location.region': null,
      'location.street': null,
      'location.street_number': null,
    });
  });

  it('may have a device id of any length in an import, of 255 characters in a request', () => {
    expect(faultsOf(withDevice(256), 'line')).toEqual([]);
    expect(faultsOf(withDevice(255), 'request')).toEqual([]);
    expect(faultsOf(withDevice(256), 'request')).toEqual([
      '/assigned_device_id: assigned_device_id is longer than 255 characters',
    ]);
  });

  it('is described as the API shows it, in the same order', () => {
    expect(Object.keys(new TankResponse())).toEqual(TANK.shown);
    expect(Object.keys(new TankResponse().location)).toEqual([...(TANK.names.get('location') ?? [])]);
  });

  it('is described as it is stored', () => {
    const columns = getMetadataArgsStorage().filterColumns(Tank);
    const stored = columns.map(({ propertyName, options }) => [
      options.name ?? propertyName,
      options.nullable ?? false,
    ]);
    const own = TANK.fields.map(({ column, nullable = false }) => [column, nullable]);
    const others = ['id', 'key', 'created_at', 'updated_at', 'deleted'].map((column) => [column, false]);
    expect(new Set(own.concat(others).map(String))).toEqual(new Set(stored.map(String)));
  });

  it('is written with all its fields over HTTP', () => {
    const sql = readFileSync(new URL('sql/write_tank.sql', import.meta.url), 'utf8');
    const inserted = sql.slice(sql.indexOf('values ('), sql.indexOf('on conflict'));
    for (const { column } of TANK.fields) {
      expect(inserted).toMatch(new RegExp(`fresh\\.${column}\\b`));
      expect(sql).toMatch(new RegExp(`\\b${column} = fresh\\.${column}\\b`));
    }
  });
});
