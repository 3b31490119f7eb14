// A run as the API shows it: a truck's day, its stops, and what became of each. The one description of its fields, with the rules that
// bodies are checked by.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isoFrom } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  COUNT,
  FILL,
  NUMBER_OR_NULL,
  TANK_ID,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { roundTo } from '../../common/rounding.js';
import { shownAs } from '../../common/shown-as.js';
import { IsAmong, IsNumberIn, IsText } from '../../common/validation/field-rules.js';
import {
  ABOVE_ZERO,
  LocationField,
  LocationResponse,
  toLocationResponse,
} from '../../tanks/dto/tank.response.js';
import { CAPACITY_UNITS, type CapacityUnit } from '../../tanks/tank.entity.js';
import { measureRoute, type Place } from '../route.js';

export const MOST_STOPS = 200;
export const RUN_STATUSES = ['planned', 'underway', 'done'] as const;
export const STOP_STATUSES = ['open', 'delivered', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export type StopStatus = (typeof STOP_STATUSES)[number];

/** Of the calendar. */
export const DAY = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$` } as const;

const MOST = 1_000_000_000;
const AMOUNT = { type: 'number', minimum: 0, maximum: MOST } as const;

const Degrees = (description: string, example: number, max: 90 | 180): PropertyDecorator =>
  applyDecorators(
    ApiField(description, example, { type: 'number', minimum: -max, maximum: max }),
    IsNumberIn({ min: -max, max }),
  );

export class StartResponse {
  @Degrees('Latitude in degrees.', 51.9066, 90)
  latitude: number;

  @Degrees('Longitude in degrees.', 4.4517, 180)
  longitude: number;
}

class MeasuredReadingResponse {
  @ApiInstant('When the reading was created.', '2026-11-24T07:15:00.000Z')
  created_at: string;

  @ApiField('The fill level then.', 18.5, FILL)
  fill_percentage: number;
}

export class MeasuredResponse {
  @ApiField("What arrived by the sensor, in the run's unit; 0 where nothing did.", 3985.2, {
    type: 'number',
    minimum: 0,
  })
  volume: number;

  @ApiProperty({ type: MeasuredReadingResponse, description: 'The reading before it arrived.' })
  before: MeasuredReadingResponse;

  @ApiProperty({ type: MeasuredReadingResponse, description: 'The reading after it arrived.' })
  after: MeasuredReadingResponse;

  @ApiField('What arrived, against what was entered, in percent of that; null for 0.', -0.8, NUMBER_OR_NULL)
  difference_percent: number | null;

  @ApiField('Whether the two differ by more than 5 percent and 2 points of the capacity.', false)
  discrepancy: boolean;
}

export class StopTankResponse {
  @ApiField("The tank's name.", 'Boiler house')
  name: string;

  @ApiField("The customer's own id for the tank.", 'BOILER-2', TEXT_OR_NULL)
  custom_id: string | null;

  @ApiField("The owner's name; null when the owner is deleted.", 'Harbor Hotel', TEXT_OR_NULL)
  owner_name: string | null;

  @ApiField("The owner's phone number.", '+31 10 555 0142', TEXT_OR_NULL)
  phone: string | null;

  @LocationField
  location: LocationResponse;

  @ApiField('Total capacity of the tank.', 5000, { type: 'number', ...ABOVE_ZERO })
  capacity: number;

  @ApiField("Unit of the tank's capacity.", 'liters', { enum: CAPACITY_UNITS })
  capacity_unit: CapacityUnit;

  @ApiField('Fill level of the newest reading; null without any.', 18.5, { ...FILL, nullable: true })
  fill_percentage: number | null;

  @ApiInstantOrNull('When the newest reading was created; null without any.', '2026-11-24T07:15:00.000Z')
  reported_at: string | null;
}

export class StopResponse {
  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiField("How much is to be delivered, in the run's unit.", 4018, AMOUNT)
  @IsNumberIn({ min: 0, max: MOST })
  planned: number;

  @ApiField('What became of the stop.', 'open', { enum: STOP_STATUSES, enumName: 'StopStatus' })
  @IsAmong(STOP_STATUSES)
  status: StopStatus;

  @ApiField("How much was delivered, in the run's unit.", 3990, { ...AMOUNT, nullable: true })
  @IsOptional()
  @IsNumberIn({ min: 0, max: MOST })
  delivered: number | null;

  @ApiInstantOrNull('When it was delivered.', '2026-11-24T09:30:00.000Z')
  delivered_at: string | null;

  @ApiField('What the driver should know, or has to say.', 'ring twice', {
    ...TEXT_OR_NULL,
    maxLength: 1_000,
  })
  @IsOptional()
  @IsText({ max: 1_000 })
  note: string | null;

  @ApiProperty({
    type: MeasuredResponse,
    nullable: true,
    description:
      'What the sensor saw of the delivery, within 2 minutes; final 7 days after the last entry. Null while nobody can say.',
  })
  measured: MeasuredResponse | null;

  @ApiProperty({
    type: StopTankResponse,
    nullable: true,
    description: 'The tank as it is now, in its own unit; null once it is deleted.',
  })
  tank: StopTankResponse | null;
}

/** In lists. */
export class RunSummaryResponse {
  @ApiField('Unique identifier of the run.', '019b7a6e-5a10-7b22-8c33-1d2e3f4a5b6c')
  id: string;

  @ApiObjectName('run')
  object: 'run';

  @ApiInstant('When the run was created.', '2026-11-23T16:20:00.000Z')
  created_at: string;

  @ApiInstant('When the run, or an entry of a stop, was last changed.', '2026-11-24T09:30:05.000Z')
  updated_at: string;

  @ApiField('The day of the run, without a time zone.', '2026-11-24', DAY)
  date: string;

  @ApiField('What the run is called, such as its truck.', 'Truck 2', {
    ...TEXT_OR_NULL,
    minLength: 1,
    maxLength: 255,
  })
  @IsOptional()
  @IsText({ min: 1, max: 255 })
  name: string | null;

  @ApiField('What the truck holds.', 10_000, { ...NUMBER_OR_NULL, ...ABOVE_ZERO, maximum: MOST })
  @IsOptional()
  @IsNumberIn({ min: 0.005, max: MOST })
  capacity: number | null;

  @ApiField(
    "Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters).",
    'liters',
    {
      enum: CAPACITY_UNITS,
    },
  )
  @IsAmong(CAPACITY_UNITS)
  capacity_unit: CapacityUnit;

  @ApiProperty({ type: StartResponse, nullable: true, description: 'Where the truck starts, and ends.' })
  start: StartResponse | null = new StartResponse();

  @ApiField('All stops open: `planned`; none: `done`; else `underway`.', 'planned', {
    enum: RUN_STATUSES,
    enumName: 'RunStatus',
  })
  status: RunStatus;

  @ApiField('Sum of what is planned.', 9285, { type: 'number', minimum: 0 })
  planned: number;

  @ApiField('Sum of what was delivered.', 0, { type: 'number', minimum: 0 })
  delivered: number;

  @ApiField(
    'From the start, or the first stop, through all stops and back along great circles; null where a place is missing.',
    84.1,
    { ...NUMBER_OR_NULL, minimum: 0 },
  )
  distance_km: number | null;

  @ApiField('How many stops there are.', 3, COUNT)
  stop_count: number;

  @ApiField('How many of them are open.', 3, COUNT)
  open_count: number;

  @ApiField('At how many stops the sensor saw something else than was entered.', 0, COUNT)
  discrepancies: number;
}

export class RunResponse extends RunSummaryResponse {
  @ApiProperty({ type: [StopResponse], description: 'In their order.' })
  stops: StopResponse[];
}

export class DeletedRunResponse extends PickType(RunSummaryResponse, ['id', 'object'] as const) {
  @ApiDeleted('run')
  deleted: true;
}

export const RunListResponse = createListResponse(RunSummaryResponse, 'RunListResponse');

export class SuggestedStopResponse extends StopResponse {
  @ApiField('Why: `empty by` or `alert by` a day, `low`, or `nearby`.', 'empty by 2026-11-26')
  reason: string;
}

export const LEFT_OUT_REASONS = ['silent', 'planned', 'full', 'does_not_fit'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export class LeftOutResponse {
  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiField("The tank's name.", 'Boiler house')
  name: string;

  @ApiField('Why it is no stop.', 'planned', { enum: LEFT_OUT_REASONS })
  reason: LeftOutReason;

  @ApiField(
    'With `planned`: the run with an open stop there.',
    '019b7a6e-5a10-7b22-8c33-1d2e3f4a5b6c',
    TEXT_OR_NULL,
  )
  run_id: string | null;
}

export class SuggestedRunResponse extends OmitType(RunSummaryResponse, [
  'id',
  'created_at',
  'updated_at',
] as const) {
  @ApiProperty({ type: [SuggestedStopResponse], description: 'Those that are due, then those nearby.' })
  stops: SuggestedStopResponse[];

  @ApiProperty({
    type: [LeftOutResponse],
    description: 'Tanks that are due and are no stops: the first 200.',
  })
  left_out: LeftOutResponse[];

  @ApiField('How many there are.', 2, COUNT)
  left_out_total: number;
}

/** As the statements read it: sums over its stops, and where those are. */
export type RunSummaryRow = Omit<
  RunSummaryResponse,
  'object' | 'created_at' | 'updated_at' | 'start' | 'status' | 'distance_km'
> &
  Record<'created_at' | 'updated_at', string | Date> &
  Record<'start_latitude' | 'start_longitude', number | null> & {
    readonly places: readonly (readonly [latitude: number | null, longitude: number | null])[] | null;
  };

/** Made by PostgreSQL as JSON, whose instants are not written as ours. */
export type StopTankRow = Omit<StopTankResponse, 'location'> & Pick<LocationResponse, keyof LocationResponse>;
export type StopRow = Omit<StopResponse, 'tank'> & { readonly tank: StopTankRow | null };
export type RunRow = RunSummaryRow & { stops: readonly StopRow[] };

export function toRunResponse(row: RunRow): RunResponse {
  return Object.assign(toRunSummary(row), { stops: row.stops.map(toStopResponse) });
}

export function toRunSummary(row: RunSummaryRow): RunSummaryResponse {
  const { stop_count: stops, open_count: open } = row;
  const start = toPlace(row.start_latitude, row.start_longitude);
  const places = (row.places ?? []).map(([latitude, longitude]) => toPlace(latitude, longitude));
  return shownAs(RunSummaryResponse, {
    ...row,
    object: 'run',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    start,
    status: open === stops ? 'planned' : open === 0 ? 'done' : 'underway',
    planned: roundTo(row.planned, 2),
    delivered: roundTo(row.delivered, 2),
    distance_km: measureRoute(start, places),
  });
}

/** Null where a part of it is missing. */
export function toPlace(latitude: number | null, longitude: number | null): Place | null {
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function toStopResponse(row: StopRow): StopResponse {
  const tank = row.tank === null ? null : toStopTank(row.tank);
  return shownAs(StopResponse, { ...row, delivered_at: isoFromJson(row.delivered_at), tank });
}

export function toStopTank(row: StopTankRow): StopTankResponse {
  const [location, reported_at] = [toLocationResponse(row), isoFromJson(row.reported_at)];
  return shownAs(StopTankResponse, { ...row, location, reported_at });
}

const isoFromJson = (text: string | null): string | null =>
  text === null ? null : new Date(text).toISOString();

/** What people decide and enter of a stop. */
export type PlannedStop = Omit<StopResponse, 'measured' | 'tank'>;

export function plannedStop(stop: StopResponse): PlannedStop {
  const { tank_id, planned, status, delivered, delivered_at, note } = stop;
  return { tank_id, planned, status, delivered, delivered_at, note };
}

/** What a run's `ETag` names: what people entered, not what follows from readings and tanks. */
export function taggedPart(shown: object): object {
  if (!isRun(shown)) return shown;
  const stops = shown.stops.map(plannedStop);
  return Object.assign({}, shown, { distance_km: undefined, discrepancies: undefined, stops });
}

/** And no suggestion. */
const isRun = (shown: object): shown is RunResponse => 'id' in shown && 'stops' in shown;
