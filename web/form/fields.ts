// The fields of a tank as a form has them: texts, named by their path in the object.
import type { Tank, TankLocation, TankPatch } from 'tank-monitoring-client';
import { LOCALE } from '../format.js';
import { USE_CASES } from '../route.js';
import type { Faults, Fields, Texts } from './field.js';
import { doubtAbout, meaningsOf, numberAsText } from './numbers.js';
import { words } from '../words/words.js';

/** What a visitor may enter. */
type TankFields = Omit<Tank, 'id' | 'object' | 'created_at' | 'updated_at'>;

export type FieldName = Exclude<keyof TankFields, 'location'> | `location/${keyof TankLocation}`;
export type Values = Texts<FieldName>;

const { fields } = words;

/** The panels of the form, with the fields of each. */
export const PANELS = {
  tank: {
    name: { label: fields.name, isRequired: true },
    custom_id: { label: fields.custom_id, hint: words.form.ownIdHint },
    owner_id: { label: fields.owner_id, isRequired: true },
    use_case: {
      label: fields.use_case,
      choices: [['', words.form.notGiven], ...USE_CASES.map((one) => [one, words.useCases[one]] as const)],
    },
  },
  device: { assigned_device_id: { label: fields.assigned_device_id } },
  contents: {
    capacity: { label: fields.capacity, isRequired: true, inputMode: 'decimal' },
    capacity_unit: {
      label: fields.capacity_unit,
      isRequired: true,
      choices: Object.entries(words.form.units),
    },
    min_fill_alert_percentage: {
      label: fields.min_fill_alert_percentage,
      hint: words.form.noAlertHint,
      inputMode: 'numeric',
    },
  },
  place: {
    'location/street': { label: fields['location/street'] },
    'location/street_number': { label: fields['location/street_number'] },
    'location/postal_code': { label: fields['location/postal_code'] },
    'location/city': { label: fields['location/city'] },
    'location/district': { label: fields['location/district'] },
    'location/region': { label: fields['location/region'] },
    'location/country': { label: fields['location/country'] },
    'location/latitude': { label: fields['location/latitude'] },
    'location/longitude': { label: fields['location/longitude'] },
  },
} as const satisfies Record<string, Partial<Fields<FieldName>>>;
export const FIELDS: Fields<FieldName> = {
  ...PANELS.tank,
  ...PANELS.device,
  ...PANELS.contents,
  ...PANELS.place,
};
export const NAMES = Object.keys(FIELDS) as FieldName[];
const NUMBERS: ReadonlySet<FieldName> = new Set([
  'capacity',
  'min_fill_alert_percentage',
  'location/latitude',
  'location/longitude',
]);
const WITHIN = 'location/';

/** What is not known is empty. */
export function valuesOf(
  tank: { readonly [Name in keyof TankFields]?: TankFields[Name] | undefined } & Pick<TankFields, 'location'>,
): Values {
  const { location, ...own } = tank;
  const place = Object.entries(location).map(([name, value]) => [WITHIN + name, value as unknown]);
  const flat = { ...own, ...Object.fromEntries(place) } as Record<FieldName, string | number | null>;
  return valuesBy((name) => {
    const value = flat[name] ?? '';
    return typeof value === 'number' ? numberAsText(value) : value;
  });
}

export function valuesBy(valueOf: (name: FieldName) => string): Values {
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as Values;
}

export const NEW_VALUES: Values = {
  ...valuesBy(() => ''),
  capacity_unit: 'liters',
  min_fill_alert_percentage: '20',
};

/** The body that sets these fields, with values that may be wrong: the service judges them. */
export function bodyOf(values: Values, names: readonly FieldName[], asked: Faults = {}): TankPatch {
  const sent = names.map((name) => [name, sentAs(name, values[name], asked)] as const);
  const place = sent.filter(([name]) => name.startsWith(WITHIN));
  const location = Object.fromEntries(place.map(([name, value]) => [name.slice(WITHIN.length), value]));
  return {
    ...Object.fromEntries(sent.filter(([name]) => !name.startsWith(WITHIN))),
    ...(place.length > 0 && { location }),
  };
}

/** What is no number goes as it was entered, and what is asked about as a question: the service stores nothing, and says what else is wrong. */
function sentAs(name: FieldName, value: string, asked: Faults): string | number | null {
  if (value === '') return name === 'assigned_device_id' ? '' : null; // no device is an empty text
  if (asked[name] !== undefined) return `${value}?`;
  const [meant, other] = NUMBERS.has(name) ? meaningsOf(value, name === 'capacity') : [];
  return meant === undefined || other !== undefined ? value : meant;
}

const [UNLIKELY, HUGE] = [50, 1_000_000];

/** What has to be asked about the capacity, unless it was before: "2.7 or 2,700?", or whether so little is meant. */
export function questionsOn({ capacity }: Values, before: Values | undefined, settled?: string): Faults {
  const [meant] = meaningsOf(capacity);
  if (meant === undefined || capacity === settled || capacity === before?.capacity) return {};
  const doubt = doubtAbout(capacity);
  if (doubt !== undefined) return { capacity: doubt };
  if (meant <= 0 || (meant >= UNLIKELY && meant <= HUGE)) return {};
  const shown = meant.toLocaleString(LOCALE);
  return {
    capacity: {
      detail: meant > HUGE ? words.form.muchMeant(shown) : words.form.onlyMeant(shown),
      answers: { [words.form.yes(shown)]: capacity },
    },
  };
}
