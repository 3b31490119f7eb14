// What the sensor of a tank is made of, and what is wrong with one that was sent.
import type { JsonRecord } from '../fields/resource.js';
import { quote } from '../problems/quote.js';
import { SHAPES, UNITS, type Calibration } from './calibration.js';
import { SentFaults } from './sent-faults.js';

export interface SentSensor {
  readonly profileId: string;
  readonly calibration: Calibration | null;
}

export const SENSOR_FIELDS = ['object', 'tank_id', 'profile_id', 'calibration', 'last_uplink'];
const POINTS = { min: 2, max: 200 };

/** What was read can be sent back: what is the service's own must be right, or is ignored. Throws when anything is wrong. */
export function readSensor(body: JsonRecord, tankId: string): SentSensor {
  const faults = new SentFaults();
  faults.names('', body, SENSOR_FIELDS);
  if ((body['object'] === undefined ? 'sensor' : body['object']) !== 'sensor')
    faults.add('/object', 'object must be sensor', quote(body['object']));
  if ((body['tank_id'] === undefined ? tankId : body['tank_id']) !== tankId)
    faults.add('/tank_id', 'tank_id must be that of the address', quote(body['tank_id']));
  const profileId = faults.text('/profile_id', body['profile_id'], { min: 1, max: 255 });
  const calibration = readCalibration(body['calibration'], faults);
  faults.throwIfAny(SENSOR_FIELDS);
  return { profileId, calibration };
}

function readCalibration(value: unknown, faults: SentFaults): Calibration | null {
  if (value === undefined || value === null) return null;
  const at = '/calibration';
  const isTable = typeof value === 'object' && 'table' in value;
  const given = faults.record(at, value, isTable ? ['table', 'unit'] : ['empty', 'full', 'unit', 'shape']);
  if (given === undefined) return null;
  if (isTable) {
    const table = readTable(given['table'], faults);
    return { table, unit: faults.oneOf(`${at}/unit`, given['unit'], UNITS) };
  }
  const empty = faults.number(`${at}/empty`, given['empty']);
  const full = faults.number(`${at}/full`, given['full']);
  const isTold = given['empty'] === empty && given['full'] === full;
  if (isTold && empty === full)
    faults.add(`${at}/full`, 'calibration.full must differ from empty', String(full));
  return {
    empty,
    full,
    unit: faults.oneOf(`${at}/unit`, given['unit'], UNITS),
    shape: given['shape'] === undefined ? 'upright' : faults.oneOf(`${at}/shape`, given['shape'], SHAPES),
  };
}

function readTable(value: unknown, faults: SentFaults): [number, number][] {
  const at = '/calibration/table';
  if (!Array.isArray(value) || value.length < POINTS.min || value.length > POINTS.max) {
    faults.add(
      at,
      `calibration.table must be an array of ${POINTS.min} to ${POINTS.max} points [value, percent]`,
    );
    return [];
  }
  const { count } = faults;
  const points = value.map((point: unknown, place): [number, number] | undefined => {
    if (!Array.isArray(point) || point.length !== 2) {
      faults.add(`${at}/${place}`, 'a point must be [value, percent]', quote(point));
      return undefined;
    }
    const percent = faults.number(`${at}/${place}/1`, point[1], { min: 0, max: 100 });
    return [faults.number(`${at}/${place}/0`, point[0]), percent];
  });
  const good = points.filter((point) => point !== undefined);
  if (faults.count > count) return [];
  if (
    !isSteady(
      good.map(([measured]) => measured),
      true,
    )
  )
    faults.add(at, 'the values of calibration.table must rise strictly, or fall strictly');
  else if (
    !isSteady(
      good.map(([, percent]) => percent),
      false,
    )
  )
    faults.add(at, 'the percents of calibration.table must never rise, or never fall');
  return good;
}

/** In one direction; when `strictly`, without a step that stays. */
function isSteady(values: readonly number[], strictly: boolean): boolean {
  const steps = values.slice(1).map((value, place) => Math.sign(value - (values[place] ?? value)));
  const without = (sign: number) => steps.every((step) => step !== sign && (step !== 0 || !strictly));
  return without(1) || without(-1);
}
