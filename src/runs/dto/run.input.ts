// A run as it is sent. Whatever else an answer has may be sent, too, and is ignored: what was read, or suggested, can be sent back.
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { isRecord, type JsonRecord } from '../../common/bodies/record.js';
import { parseDatetime, FIRST_INSTANT } from '../../common/datetime/datetime.js';
import { ApiField, ApiInstantOrNull, ApiOptional, TANK_ID } from '../../common/openapi/properties.js';
import { fault, quote } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsExactly,
  IsInstant,
  IsListOf,
  IsNumberIn,
  IsObjectOf,
  IsText,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { NOT_NULL, ReadOnlyFields } from '../../common/validation/read-only-fields.js';
import { AHEAD, ID, isAhead, textFault } from '../../common/validation/values.js';
import {
  DAY,
  MOST_STOPS,
  RUN_STATUSES,
  RunResponse,
  RunSummaryResponse,
  StartResponse,
  StopResponse,
  SuggestedStopResponse,
  type RunStatus,
} from './run.response.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled, IsOneOf, rule } from '../../common/validation/parameter-rules.js';
import { ApiSearch } from '../../common/search.js';

/** `2026-11-24`, a day of the calendar. */
export function isDay(text: unknown): text is string {
  const parsed = typeof text === 'string' ? parseDatetime(text) : undefined;
  return parsed?.isDate === true && parsed.milliseconds >= FIRST_INSTANT;
}

export const IsDay = (): PropertyDecorator =>
  fieldRule('isDay', (value) =>
    isDay(value) ? undefined : fault('must be a date such as 2026-01-31', quote(value)),
  );

/** Those of an answer that are not the body's own are ignored. Returns the names of all. */
function ignoreOthers(
  type: new () => object,
  own: readonly string[],
  ofAnswer: readonly string[],
): readonly string[] {
  const others = ofAnswer.filter((name) => !own.includes(name));
  for (const name of others) Allow()(type.prototype as object, name);
  return [...own, ...others];
}

const OF_STOP = Object.keys(new SuggestedStopResponse());
const OF_RUN = [...Object.keys(new RunResponse()), 'left_out', 'left_out_total'];
const RUN = ['id', 'object', 'date', 'name', 'capacity', 'capacity_unit', 'start', 'stops'];

/** Takes the place of a tank that is a stop already. */
class RepeatedTank {
  constructor(readonly id: string) {}
}

/** Before the fields are checked, since a stop does not know the others. */
export function markRepeatedTanks(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body['stops'])) return body;
  const seen = new Set<unknown>();
  const stops = (body['stops'] as unknown[]).slice(0, MOST_STOPS + 1).map((stop): unknown => {
    if (!isRecord(stop) || typeof stop['tank_id'] !== 'string') return stop;
    const { tank_id: id } = stop as JsonRecord & { tank_id: string };
    if (seen.has(id)) return { ...stop, tank_id: new RepeatedTank(id) };
    seen.add(id);
    return stop;
  });
  return { ...body, stops };
}

export class StopInput extends IntersectionType(
  PickType(StopResponse, ['planned'] as const),
  PartialType(PickType(StopResponse, ['note'] as const)),
) {
  static readonly fields = ignoreOthers(this, ['tank_id', 'planned', 'note'], OF_STOP);

  @ApiProperty(TANK_ID)
  @fieldRule('isStopTank', (value) =>
    value instanceof RepeatedTank ? fault('is a stop already', quote(value.id)) : textFault(value, ID),
  )
  tank_id: string;
}

class Own extends PickType(ReadOnlyFields, ['id'] as const) {
  @MayBeLeftOut()
  @IsExactly('run')
  object?: 'run';

  @ApiField('The day of the run, without a time zone.', '2026-11-24', DAY)
  @IsDay()
  date: string;
}

export class RunInput extends IntersectionType(
  Own,
  PartialType(PickType(RunSummaryResponse, ['name', 'capacity'] as const)),
  PartialType(PickType(RunSummaryResponse, ['capacity_unit'] as const), NOT_NULL),
) {
  static readonly fields = ignoreOthers(this, RUN, OF_RUN);

  @ApiOptional(
    'Where the truck starts, and ends.',
    { type: StartResponse, nullable: true },
    IsObjectOf(StartResponse, ' or null'),
  )
  start?: StartResponse | null;

  @ApiProperty({
    type: [StopInput],
    minItems: 1,
    maxItems: MOST_STOPS,
    description: 'All stops, in their order, a tank once.',
  })
  @IsListOf(StopInput, { min: 1, max: MOST_STOPS, of: 'stops' })
  stops: StopInput[];
}

class StartPatch extends PartialType(StartResponse, NOT_NULL) {
  static readonly fields = ['latitude', 'longitude'];
}

export class RunPatch extends PartialType(OmitType(RunInput, ['start'] as const), NOT_NULL) {
  static readonly fields = ignoreOthers(this, RUN, OF_RUN);

  @ApiOptional(
    'What is given of the start changes; null clears it.',
    { type: StartPatch, nullable: true },
    IsObjectOf(StartPatch, ' or null'),
  )
  start?: Partial<StartResponse> | null;
}

/** What the driver enters. */
export class StopPatch extends IntersectionType(
  PartialType(PickType(StopResponse, ['status'] as const), NOT_NULL),
  PartialType(PickType(StopResponse, ['delivered', 'note'] as const)),
) {
  static readonly fields = ignoreOthers(this, ['status', 'delivered', 'delivered_at', 'note'], OF_STOP);

  @ApiInstantOrNull(
    'When it was delivered: at most 31 days ago. Left out, it is now, or stays.',
    '2026-11-24T09:30:00.000Z',
    {
      required: false,
    },
  )
  @IsOptional()
  @IsInstant()
  @fieldRule('isNotAhead', (value) =>
    value instanceof Date && isAhead(value.getTime(), Date.now()) ? fault(AHEAD, quote(value)) : undefined,
  )
  delivered_at?: Date | null;
}

const Day = (description: string): PropertyDecorator =>
  ApiOptional(
    description,
    { pattern: DAY.pattern },
    rule('isDay', isDay, (shown) => `must be a date such as 2026-01-31, not ${shown}`),
  );

export class RunsQuery extends ListQuery {
  @Day('Only runs of this day or later.')
  date_gte?: string;

  @Day('Only runs of this day or earlier.')
  date_lte?: string;

  @ApiOptional(
    'Only runs with this status.',
    { enum: RUN_STATUSES, enumName: 'RunStatus' },
    IsOneOf(RUN_STATUSES),
  )
  status?: RunStatus;

  @ApiOptional('Only runs with a stop at this tank.', { minLength: 1 }, IsFilled())
  tank_id?: string;
}

export class SuggestionInput extends PickType(RunInput, [
  'date',
  'capacity',
  'capacity_unit',
  'start',
] as const) {
  static readonly fields = [
    'date',
    'until',
    'capacity',
    'capacity_unit',
    'start',
    'fill_to',
    'owner_id',
    'q',
  ];

  @ApiField(
    'Tanks are due that are low, or may reach their alert by this day: 7 days later, unless given.',
    '2026-12-01',
    { ...DAY, required: false },
  )
  @MayBeLeftOut()
  @IsDay()
  until?: string;

  @ApiField(
    'Up to what level tanks are filled, in percent. Unless given, it is the FILL_TO_PERCENT of the installation: 85 where the operator chose no other.',
    85,
    { type: 'number', minimum: 1, maximum: 100, required: false },
  )
  @MayBeLeftOut()
  @IsNumberIn({ min: 1, max: 100 })
  fill_to?: number;

  @ApiOptional(
    'Only tanks of this customer.',
    { minLength: 1, example: 'example-customer' },
    IsText({ min: 1 }),
  )
  owner_id?: string | null;

  @ApiSearch(
    'tanks',
    "name, custom id, device id, address, or in the owner's name, email or phone",
    'rotterdam',
  )
  q?: string | null;
}
