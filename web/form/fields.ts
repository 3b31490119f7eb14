// The fields of a tank as a form has them: texts, named by their path in the object.
import { CAPACITY_UNITS, USE_CASES, type Location, type TankFields } from '../api/types.js';

export type FieldName = Exclude<keyof TankFields, 'location'> | `location/${keyof Location}`;
export type Values = Readonly<Record<FieldName, string>>;

export const LABELS: Readonly<Record<FieldName, string>> = {
  name: 'Name',
  owner_id: 'Owner',
  custom_id: 'Own id',
  use_case: 'Use case',
  assigned_device_id: 'Device id',
  capacity: 'Capacity',
  capacity_unit: 'Unit',
  min_fill_alert_percentage: 'Alert at, in %',
  'location/street': 'Street',
  'location/street_number': 'Street number',
  'location/postal_code': 'Postal code',
  'location/city': 'City',
  'location/district': 'District',
  'location/region': 'Region',
  'location/country': 'Country',
  'location/latitude': 'Latitude',
  'location/longitude': 'Longitude',
};
export const NAMES = Object.keys(LABELS) as FieldName[];
export const REQUIRED: ReadonlySet<FieldName> = new Set(['name', 'owner_id', 'capacity', 'capacity_unit']);
export const CHOICES: Partial<Record<FieldName, readonly string[]>> = {
  use_case: ['', ...USE_CASES],
  capacity_unit: CAPACITY_UNITS,
};
const NUMBERS: ReadonlySet<FieldName> = new Set([
  'capacity',
  'min_fill_alert_percentage',
  'location/latitude',
  'location/longitude',
]);
const WITHIN = 'location/';

export function fieldAt(pointer: string | undefined): FieldName | undefined {
  return NAMES.find((name) => `/${name}` === pointer);
}

export function valuesOf(tank: TankFields): Values {
  const { location, ...own } = tank;
  const place = Object.entries(location).map(([name, value]) => [WITHIN + name, value as unknown]);
  const flat = { ...own, ...Object.fromEntries(place) } as Record<FieldName, string | number | null>;
  return valuesBy((name) => String(flat[name] ?? ''));
}

export function newValues(owner: string): Values {
  const given: Partial<Values> = {
    owner_id: owner,
    capacity_unit: 'liters',
    min_fill_alert_percentage: '20',
  };
  return valuesBy((name) => given[name] ?? '');
}

export function valuesBy(valueOf: (name: FieldName) => string): Values {
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as Values;
}

/** The body that sets these fields. */
export function bodyOf(values: Values, names: readonly FieldName[]): object {
  const sent = names.map((name) => [name, sentAs(name, values[name])] as const);
  const place = sent.filter(([name]) => name.startsWith(WITHIN));
  const location = Object.fromEntries(place.map(([name, value]) => [name.slice(WITHIN.length), value]));
  return {
    ...Object.fromEntries(sent.filter(([name]) => !name.startsWith(WITHIN))),
    ...(place.length > 0 && { location }),
  };
}

/** What is no number goes as it was entered: the service says what is wrong with it. No device is an empty text. */
function sentAs(name: FieldName, value: string): string | number | null {
  if (value === '') return name === 'assigned_device_id' ? '' : null;
  return NUMBERS.has(name) && Number.isFinite(Number(value)) ? Number(value) : value;
}
