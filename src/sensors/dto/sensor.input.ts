// The sensor of a tank as it is sent.
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Transform, Type, type TransformFnParams, type TypeHelpOptions } from 'class-transformer';
import { Allow, IsOptional, ValidateNested } from 'class-validator';
import { isRecord } from '../../common/bodies/record.js';
import { fault, quote, type Fault } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsAmong,
  IsExactly,
  IsNumberIn,
  IsText,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { AddressId } from '../../common/validation/read-only-fields.js';
import { ID } from '../../common/validation/values.js';
import { SHAPES, UNITS, type Calibration, type Shape, type Unit } from '../calibration.js';
import { calibrationBy, PROFILE_ID, SHAPE, TwoPointsResponse } from './sensor.response.js';

export class SentTwoPoints extends OmitType(TwoPointsResponse, ['shape'] as const) {
  static readonly fields = Object.keys(new TwoPointsResponse());

  @ApiProperty({ ...SHAPE, required: false, default: 'upright' })
  @MayBeLeftOut()
  @IsAmong(SHAPES)
  shape?: Shape;
}

/** A value and the percentage that it means. */
class Point {
  @IsNumberIn({})
  0: number;

  @IsNumberIn({ min: 0, max: 100 })
  1: number;
}

const POINTS = { min: 2, max: 200 };

class SentTable {
  @Transform(({ value }: TransformFnParams): unknown => (Array.isArray(value) ? value.map(pointFrom) : value))
  @ValidateNested({ each: true, message: 'must be [value, percent]' })
  @fieldRule('isTable', tableFault)
  table: Point[];

  @IsAmong(UNITS)
  unit: Unit;
}

/** What is no pair becomes a text, which is no point either. */
function pointFrom(sent: unknown): unknown {
  if (!Array.isArray(sent) || sent.length !== 2) return quote(sent);
  return Object.assign(new Point(), { 0: sent[0] as unknown, 1: sent[1] as unknown });
}

function tableFault(value: unknown): Fault | undefined {
  if (!Array.isArray(value) || value.length < POINTS.min || value.length > POINTS.max)
    return fault(`must be an array of ${POINTS.min} to ${POINTS.max} points [value, percent]`);
  const points = value.filter((point) => point instanceof Point);
  const [values, percents] = [points.map((point) => point[0]), points.map((point) => point[1])];
  if ([...values, ...percents].some((number) => typeof number !== 'number')) return undefined;
  if (!isSteady(values, true)) return fault('must have values that rise strictly, or fall strictly');
  return isSteady(percents, false) ? undefined : fault('must have percents that never rise, or never fall');
}

/** In one direction; when `strictly`, without a step that stays. */
function isSteady(values: readonly number[], strictly: boolean): boolean {
  const steps = values.slice(1).map((value, place) => Math.sign(value - (values[place] ?? value)));
  const without = (sign: number) => steps.every((step) => step !== sign && (step !== 0 || !strictly));
  return without(1) || without(-1);
}

/** By what is in it. */
function kindOfCalibration(options?: TypeHelpOptions): typeof SentTable | typeof SentTwoPoints {
  const sent: unknown = options?.object['calibration'];
  return isRecord(sent) && 'table' in sent ? SentTable : SentTwoPoints;
}

export class SentSensorBody {
  @MayBeLeftOut()
  @IsExactly('sensor')
  object?: 'sensor';

  /** Of the address: a sensor has none of its own. */
  @fieldRule('isNotSent', (value) =>
    value instanceof AddressId && value.sent === undefined ? undefined : fault('is no field of a sensor'),
  )
  id: AddressId;

  @MayBeLeftOut()
  @fieldRule('isTankOfAddress', tankFault)
  tank_id?: string;

  @ApiProperty(PROFILE_ID)
  @IsText(ID)
  profile_id: string;

  @ApiProperty({ ...calibrationBy(SentTwoPoints), required: false, default: null })
  @IsOptional()
  @Type(kindOfCalibration)
  @ValidateNested({ message: 'must be an object or null' })
  @fieldRule('isCalibration', (value) =>
    Array.isArray(value) ? fault('must be an object or null', quote(value)) : undefined,
  )
  calibration?: SentTwoPoints | SentTable | null;

  @Allow()
  last_uplink?: unknown;
}

function tankFault(value: unknown, { id }: Partial<Pick<SentSensorBody, 'id'>>): Fault | undefined {
  return value === id?.id ? undefined : fault('must be that of the address', quote(value));
}

/** As it is stored. */
export function toCalibration(sent: SentSensorBody['calibration']): Calibration | null {
  if (sent === undefined || sent === null) return null;
  if (sent instanceof SentTable)
    return { table: sent.table.map((point) => [point[0] + 0, point[1] + 0] as const), unit: sent.unit };
  const { empty, full, unit, shape = 'upright' } = sent;
  return { empty: empty + 0, full: full + 0, unit, shape };
}
