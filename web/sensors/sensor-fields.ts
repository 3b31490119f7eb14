// The sensor of a tank as its form has it: texts, named by their path in the object.
import type { ProblemError, Sensor, SensorInput } from 'tank-monitoring-client';
import { inFormWords } from '../form/faults.js';
import type { Faults, FieldSpec, Texts } from '../form/field.js';
import { doubtAbout, meaningsOf, numberAsText } from '../form/numbers.js';
import { words } from '../words/words.js';

export const SENSOR_FIELDS = {
  profile_id: { label: words.fields.profile_id, isRequired: true },
  calibration: { label: words.fields.calibration, choices: Object.entries(words.sensor.kinds) },
  'calibration/empty': { label: words.sensor.empty, isRequired: true, inputMode: 'decimal' },
  'calibration/full': { label: words.sensor.full, isRequired: true, inputMode: 'decimal' },
  'calibration/table': {
    label: words.sensor.points,
    isRequired: true,
    lines: 8,
    hint: words.sensor.pointsHint,
  },
  'calibration/unit': { label: words.fields.capacity_unit, choices: Object.entries(words.sensor.units) },
  'calibration/shape': { label: words.sensor.shape, choices: Object.entries(words.sensor.shapes) },
} as const satisfies Record<string, FieldSpec>;

type SensorField = keyof typeof SENSOR_FIELDS;
export type SensorValues = Texts<SensorField>;
const NAMES = Object.keys(SENSOR_FIELDS) as SensorField[];

/** The fields of each kind of calibration. */
export const FIELDS_OF_KIND: Readonly<Record<string, readonly SensorField[]>> = {
  points: ['calibration/empty', 'calibration/full', 'calibration/unit', 'calibration/shape'],
  table: ['calibration/table', 'calibration/unit'],
};

export function valuesOf(sensor: Sensor | undefined): SensorValues {
  const calibration = sensor?.calibration ?? undefined;
  const table = calibration && 'table' in calibration ? calibration.table : undefined;
  const points = calibration && 'empty' in calibration ? calibration : undefined;
  return {
    profile_id: sensor?.profile_id ?? '',
    calibration: table ? 'table' : points ? 'points' : 'none',
    'calibration/empty': points ? numberAsText(points.empty) : '',
    'calibration/full': points ? numberAsText(points.full) : '',
    'calibration/table': (table ?? []).map((point) => point.map(numberAsText).join(' ')).join('\n'),
    'calibration/unit': calibration?.unit ?? 'mm',
    'calibration/shape': points?.shape ?? 'upright',
  };
}

/** What is left empty is left out, what is no number goes as it was entered: the service says what is wrong. */
export function bodyOf(values: SensorValues): SensorInput {
  return {
    profile_id: values.profile_id === '' ? undefined : values.profile_id,
    calibration: sentCalibration(values),
  } as SensorInput;
}

function sentCalibration(values: SensorValues): object | null {
  const { calibration: kind, 'calibration/unit': unit, 'calibration/shape': shape } = values;
  if (kind === 'none') return null;
  if (kind === 'table') return { table: pointsIn(values['calibration/table']), unit };
  const [empty, full] = [values['calibration/empty'], values['calibration/full']].map(sentNumber);
  return { empty, full, unit, shape };
}

/** One a line, as it is typed or comes out of a spreadsheet: a value, then its percentage. */
function pointsIn(text: string): unknown[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => line.split(/[\s;]/.test(line) ? /[\s;]+/ : ',').map(sentNumber));
}

function sentNumber(text: string): number | string | undefined {
  const given = text.trim();
  if (given === '') return undefined;
  return meaningsOf(given)[0] ?? given;
}

/** What is measured may be written in two ways, too. `known`: what was stored, or answered already. */
export function doubtsAbout(values: SensorValues, known: SensorValues): Faults<SensorField> {
  const names = ['calibration/empty', 'calibration/full'] as const;
  const asked = names.filter((name) => values.calibration === 'points' && values[name] !== known[name]);
  const doubts = asked.map((name) => [name, doubtAbout(values[name])] as const);
  return Object.fromEntries(doubts.filter(([, doubt]) => doubt !== undefined));
}

/** What is wrong with a point stands at the table, with the place of the point. */
export function faultsOf({ errors }: ProblemError): Faults<SensorField> {
  const faults: Faults<SensorField> = {};
  for (const { pointer = '', detail } of errors) {
    const [, top, field, place, part] = pointer.split('/');
    const name = NAMES.find((one) => one === `${top}/${field}`) ?? NAMES.find((one) => one === top);
    if (name === undefined) continue;
    const label = part === undefined ? SENSOR_FIELDS[name].label : words.sensor.value(Number(part) + 1);
    const wrong = inFormWords(pointer, label, detail);
    const said = place === undefined ? wrong : words.sensor.point(Number(place) + 1, wrong);
    const before = faults[name];
    faults[name] = { detail: before === undefined ? said : `${before.detail} ${said}` };
  }
  return faults;
}
