// A sensor profile as the API shows it: the one description of its fields, with the rules that bodies are checked by.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { isoFrom } from '../../common/datetime/datetime.js';
import { ApiDeleted, ApiField, ApiInstant, ApiObjectName } from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { fault, quote, type Fault } from '../../common/validation/fault.js';
import {
  fieldRule,
  fullFault,
  IsAmong,
  IsListOf,
  IsNumberIn,
  IsObjectOf,
  IsTrueOrFalse,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { IsLimitedText } from '../../common/validation/limited-text.js';
import { numberFault, textFault } from '../../common/validation/values.js';
import { UNITS, type Unit } from '../calibration.js';
import type { BatteryScale, ValuePlace } from '../measured.js';
import { MAX_PATH, pathFault } from '../path.js';
import { profileFrom } from '../sensor-lookup.js';
import type { SensorProfile } from '../sensor-profile.entity.js';

const MAX_RULES = 20;

export const Path = (example: string, min: 0 | 1 = 1, required = true): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'string',
      minLength: min,
      maxLength: MAX_PATH,
      required,
      description:
        'Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\\` takes the next character as it is.',
      example,
    }),
    fieldRule('isPath', (value) => pathFault(value, min)),
  );

function equalsFault(value: unknown): Fault | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'string') return textFault(value);
  return fault('must be a string, a number or a boolean', quote(value));
}

/** As the next one, shown only where it was given. */
const Factor = (): PropertyDecorator =>
  applyDecorators(
    ApiField('What the value is multiplied by, in place of 1.', 0.1, { type: 'number', required: false }),
    MayBeLeftOut(),
    fieldRule(
      'isFactor',
      (value) => numberFault(value) ?? (value === 0 ? fault('must not be 0') : undefined),
    ),
  );
const Offset = (): PropertyDecorator =>
  applyDecorators(
    ApiField('What is added then, in place of 0.', -5, { type: 'number', required: false }),
    MayBeLeftOut(),
    IsNumberIn({}),
  );

export const WholeNumber = (
  description: string,
  example: number,
  { min, max }: { min: number; max: number },
  required = true,
): PropertyDecorator =>
  applyDecorators(
    ApiField(description, example, { type: 'integer', minimum: min, maximum: max, required }),
    IsNumberIn({ min, max, isWhole: true }),
  );

const ORDERS = ['big', 'little'] as const;
/** A message of 64 KiB has no byte after it. */
const LAST_BYTE = 65_535;

export class BytesPlaceResponse {
  @WholeNumber('Which byte is the first, counted from 0.', 2, { min: 0, max: LAST_BYTE })
  offset: number;

  @WholeNumber('How many bytes.', 2, { min: 1, max: 4 })
  length: number;

  @ApiField('Which byte comes first.', 'big', { enum: ORDERS, default: 'big', required: false })
  @MayBeLeftOut()
  @IsAmong(ORDERS)
  order: (typeof ORDERS)[number] = 'big';

  @ApiField('Whether it may be negative.', false, { default: false, required: false })
  @MayBeLeftOut()
  @IsTrueOrFalse()
  signed: boolean = false;
}

/** A path or bytes, one of both. */
const PathOf = (example: string): PropertyDecorator =>
  applyDecorators(
    Path(example, 1, false),
    ValidateIf(({ bytes }: ValuePlace, value) => value !== undefined || bytes === undefined),
  );

const Bytes = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: BytesPlaceResponse,
      required: false,
      description: 'In place of `path`: some bytes of the payload, where a source gives bytes.',
    }),
    MayBeLeftOut(),
    fieldRule('isInsteadOfPath', (_, { path }: ValuePlace) =>
      path === undefined ? undefined : fault('must not be together with path'),
    ),
    IsObjectOf(BytesPlaceResponse),
  );

export class LevelPlaceResponse {
  @PathOf('distance')
  path?: string | undefined;

  @ApiField('The unit of a value without one; `raw` for any other number.', 'mm', {
    enum: UNITS,
    enumName: 'LevelUnit',
  })
  @IsAmong(UNITS)
  unit: Unit;

  @Factor()
  factor?: number | undefined;

  @Offset()
  offset?: number | undefined;

  @Bytes()
  bytes?: BytesPlaceResponse | undefined;
}

/** One is not without the other. */
const OnlyInPairs = () => ValidateIf(({ empty, full }: BatteryScale) => (empty ?? full) !== undefined);

export class BatteryPlaceResponse {
  @PathOf('battery')
  path?: string | undefined;

  @Factor()
  factor?: number | undefined;

  @Offset()
  offset?: number | undefined;

  @ApiField('The value of an empty battery, such as its volts.', 2.5, { type: 'number', required: false })
  @OnlyInPairs()
  @IsNumberIn({})
  empty?: number | undefined;

  @ApiField('The value of a full battery.', 3.6, { type: 'number', required: false })
  @OnlyInPairs()
  @fieldRule('isOtherThanEmpty', fullFault)
  full?: number | undefined;

  @Bytes()
  bytes?: BytesPlaceResponse | undefined;
}

export class TemperaturePlaceResponse {
  @PathOf('temperature')
  path?: string | undefined;

  @Factor()
  factor?: number | undefined;

  @Offset()
  offset?: number | undefined;

  @Bytes()
  bytes?: BytesPlaceResponse | undefined;
}

const CONDITIONS = ['equals', 'below', 'above', 'absent'] as const;

/** Whether a rule has another condition than this one; undefined for any. */
function hasOther(rule: Partial<Record<(typeof CONDITIONS)[number], unknown>>, name?: string): boolean {
  return CONDITIONS.some((other) => other !== name && rule[other] !== undefined);
}

const Condition = (
  name: (typeof CONDITIONS)[number],
  faultOf: (value: unknown) => Fault | undefined,
): PropertyDecorator =>
  applyDecorators(
    // A rule without any condition lacks the first.
    ValidateIf((rule: object, value) => value !== undefined || (name === 'equals' && !hasOther(rule))),
    fieldRule('isCondition', (value, rule) =>
      hasOther(rule, name) ? fault(`must be the only one of ${CONDITIONS.join(', ')}`) : faultOf(value),
    ),
  );

/** Of ignore_when, too. */
export class RejectRuleResponse {
  @Path('position')
  path: string;

  @ApiField('The value, its type included.', 'tilt', {
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
    required: false,
  })
  @Condition('equals', equalsFault)
  equals?: string | number | boolean | undefined;

  @ApiField('The number, as it is written, is below this one.', 21, { type: 'number', required: false })
  @Condition('below', (value) => numberFault(value))
  below?: number | undefined;

  @ApiField('The number, as it is written, is above this one.', 9_999, { type: 'number', required: false })
  @Condition('above', (value) => numberFault(value))
  above?: number | undefined;

  @ApiField('There is no such value, or it is null.', true, {
    type: 'boolean',
    enum: [true],
    required: false,
  })
  @Condition('absent', (value) => (value === true ? undefined : fault('must be true', quote(value))))
  absent?: true | undefined;
}

export class HistoryPlaceResponse {
  @Path('history')
  path: string;

  @Path('timestamp')
  time: string;

  @Path('distance')
  level: string;
}

export const PlaceOrNull = (
  description: string,
  type: new () => object,
  example: object | null,
): PropertyDecorator =>
  applyDecorators(
    ApiField(description, example, { type, nullable: true }),
    IsOptional(),
    IsObjectOf(type, ' or null'),
  );

export const Rules = (description: string, example: object, required = true): PropertyDecorator =>
  applyDecorators(
    ApiField(description, [example], { type: [RejectRuleResponse], maxItems: MAX_RULES, required }),
    IsListOf(RejectRuleResponse, { max: MAX_RULES }),
  );

const TILTED = { path: 'position', equals: 'tilt' };
const NO_DISTANCE = { path: 'distance', absent: true };

export class SensorProfileResponse {
  @ApiField('Unique identifier of the profile.', 'em400-udl')
  id: string;

  @ApiObjectName('sensor_profile')
  object: 'sensor_profile';

  @ApiField('What kind of sensor it is for.', 'Milesight EM400-UDL', { minLength: 1 })
  @IsLimitedText({ min: 1 })
  name: string;

  @ApiInstant('When the profile was created.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When it was last changed.', '2026-01-31T08:15:30.123Z')
  updated_at: string;

  @ApiProperty({
    type: LevelPlaceResponse,
    description: 'Where the level is: a percentage, a length, or any number.',
  })
  @IsObjectOf(LevelPlaceResponse)
  level: LevelPlaceResponse = new LevelPlaceResponse();

  @PlaceOrNull('Where the battery is, in percent.', BatteryPlaceResponse, { path: 'battery' })
  battery: BatteryPlaceResponse | null = new BatteryPlaceResponse();

  @PlaceOrNull('Where the temperature is, in °C.', TemperaturePlaceResponse, { path: 'temperature' })
  temperature: TemperaturePlaceResponse | null = new TemperaturePlaceResponse();

  @Rules(
    'Payloads to which one of these rules applies are kept in quarantine. Each has one condition.',
    TILTED,
  )
  reject_when: readonly RejectRuleResponse[];

  @Rules(
    'Payloads to which one of these rules applies hold no measurement: looked at first, neither used nor kept.',
    NO_DISTANCE,
    false,
  )
  ignore_when?: readonly RejectRuleResponse[] | undefined;

  @ApiProperty({
    type: HistoryPlaceResponse,
    description: 'Where earlier measurements are.',
    required: false,
  })
  history?: HistoryPlaceResponse | undefined = new HistoryPlaceResponse();
}

export class DeletedSensorProfileResponse extends PickType(SensorProfileResponse, ['id', 'object'] as const) {
  @ApiDeleted('profile')
  deleted: true;
}

export const SensorProfileListResponse = createListResponse(
  SensorProfileResponse,
  'SensorProfileListResponse',
);

/** As the database gives it, or TypeORM. */
export type SensorProfileRow = Omit<SensorProfile, 'created_at' | 'updated_at'> &
  Record<'created_at' | 'updated_at', string | Date>;

export function toSensorProfileResponse(row: SensorProfileRow): SensorProfileResponse {
  return {
    id: row.id,
    object: 'sensor_profile',
    name: row.name,
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    ...profileFrom(row),
  };
}
