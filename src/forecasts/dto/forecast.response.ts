// A forecast as the API shows it: in the fleet, and of one tank with its path and its record.
import { ApiProperty } from '@nestjs/swagger';
import { DAY_MS, HOUR_MS, isoFromPostgres } from '../../common/datetime/datetime.js';
import {
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  FILL,
  NUMBER_OR_NULL,
  TANK_ID,
} from '../../common/openapi/properties.js';
import { roundTo } from '../../common/rounding.js';
import type { Tally } from '../model/record.js';
import { AccuracyOfTankResponse, toAccuracyOfTank } from './accuracy.response.js';

/** A tank's own record is shown from so many forecasts on: fewer are chance. */
const LEAST_FORECASTS = 20;
const WEEK_PLACE = 2;

export class InstantsResponse {
  @ApiInstantOrNull('One time in ten it is earlier.', '2026-11-28T09:00:00.000Z')
  p10: string | null = null;

  @ApiInstantOrNull('Half of the time it is earlier.', '2026-12-04T15:00:00.000Z')
  p50: string | null = null;

  @ApiInstantOrNull('Nine times in ten it is earlier.', '2026-12-13T02:00:00.000Z')
  p90: string | null = null;
}

const PER_DAY = 'Percentage points expected to be used in the coming 7 days, ÷ 7.';
const ALERT =
  'When `min_fill_alert_percentage` is reached, cut to the hour; null when that is more than 180 days later. Null as a whole while ' +
  'the tank is low.';
const DATA = 'The level on the next 30 days, if nobody delivers.';
const ACCURACY =
  "How good this tank's own forecasts were; null while fewer than 20 were compared after 7 days.";
const LEVEL = 'The level it starts from: without noise and wrong readings, carried on to `made_at`.';
const EMPTY = 'When the tank is empty, cut to the hour; null when that is more than 180 days later.';

export class ForecastResponse {
  @ApiInstant('When it was made.', '2026-10-31T18:00:20.123Z')
  made_at: string = '';

  @ApiField(PER_DAY, 1.93, { type: 'number' })
  percent_per_day: number = 0;

  @ApiProperty({ type: InstantsResponse, nullable: true, description: ALERT })
  alert: InstantsResponse | null = new InstantsResponse();

  @ApiProperty({ type: InstantsResponse, description: EMPTY })
  empty: InstantsResponse = new InstantsResponse();
}

export class ForecastDayResponse {
  @ApiInstant('`made_at` and 1 to 30 days.', '2026-11-01T18:00:20.123Z')
  at: string;

  @ApiField('One time in ten the level is lower.', 60.42, FILL)
  p10: number;

  @ApiField('Half of the time the level is lower.', 61.51, FILL)
  p50: number;

  @ApiField('Nine times in ten the level is lower.', 62.3, FILL)
  p90: number;
}

export class TankForecastResponse {
  @ApiObjectName('forecast')
  object: 'forecast';

  @ApiProperty(TANK_ID)
  tank_id: string;

  @ApiInstantOrNull('When it was made; null without a forecast.', '2026-10-31T18:00:20.123Z')
  made_at: string | null;

  @ApiField(LEVEL, 63.38, { ...NUMBER_OR_NULL, ...FILL })
  level: number | null;

  @ApiField(PER_DAY, 1.93, NUMBER_OR_NULL)
  percent_per_day: number | null;

  @ApiProperty({ type: InstantsResponse, nullable: true, description: ALERT })
  alert: InstantsResponse | null;

  @ApiProperty({ type: InstantsResponse, nullable: true, description: EMPTY })
  empty: InstantsResponse | null;

  @ApiProperty({ type: [ForecastDayResponse], description: DATA })
  data: ForecastDayResponse[];

  @ApiProperty({ type: AccuracyOfTankResponse, nullable: true, description: ACCURACY })
  accuracy: AccuracyOfTankResponse | null;
}

export interface ForecastRow {
  forecast_made_at: string | null;
  percent_per_day: number | null;
  alert_hours: readonly (number | null)[] | null;
  empty_hours: readonly (number | null)[] | null;
}

export interface TankForecastRow extends ForecastRow {
  id: string;
  level: number | null;
  levels: readonly number[] | null;
  accuracy: Tally | null;
}

export function toForecastResponse(row: ForecastRow): ForecastResponse | null {
  const { forecast_made_at: madeAt, percent_per_day: perDay, alert_hours: alert, empty_hours: empty } = row;
  if (madeAt === null || perDay === null || empty === null) return null;
  return {
    made_at: isoFromPostgres(madeAt),
    percent_per_day: roundTo(perDay, 2),
    alert: alert === null ? null : toInstants(alert),
    empty: toInstants(empty),
  };
}

export function toTankForecastResponse(row: TankForecastRow): TankForecastResponse {
  const forecast = toForecastResponse(row);
  const accuracy = row.accuracy === null ? null : toAccuracyOfTank(row.accuracy);
  const isEnough = (accuracy?.horizons[WEEK_PLACE]?.forecasts ?? 0) >= LEAST_FORECASTS;
  return {
    object: 'forecast',
    tank_id: row.id,
    made_at: forecast?.made_at ?? null,
    level: forecast === null || row.level === null ? null : roundTo(row.level, 2),
    percent_per_day: forecast?.percent_per_day ?? null,
    alert: forecast?.alert ?? null,
    empty: forecast?.empty ?? null,
    data: forecast === null ? [] : toDays(forecast.made_at, row.levels ?? []),
    accuracy: isEnough ? accuracy : null,
  };
}

function toDays(madeAt: string, levels: readonly number[]): ForecastDayResponse[] {
  const start = Date.parse(madeAt);
  return Array.from({ length: levels.length / 3 }, (_, i) => ({
    at: new Date(start + (i + 1) * DAY_MS).toISOString(),
    p10: roundTo(levels[3 * i] ?? 0, 2),
    p50: roundTo(levels[3 * i + 1] ?? 0, 2),
    p90: roundTo(levels[3 * i + 2] ?? 0, 2),
  }));
}

function toInstants([p10, p50, p90]: readonly (number | null | undefined)[]): InstantsResponse {
  return { p10: toInstantText(p10), p50: toInstantText(p50), p90: toInstantText(p90) };
}

function toInstantText(hour: number | null | undefined): string | null {
  return hour === null || hour === undefined ? null : new Date(hour * HOUR_MS).toISOString();
}
