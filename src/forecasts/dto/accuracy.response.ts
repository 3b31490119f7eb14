// How good forecasts were, as the API shows it.
import { ApiProperty } from '@nestjs/swagger';
import {
  ApiField,
  ApiInstantOrNull,
  ApiObjectName,
  ApiOptional,
  COUNT,
  NUMBER_OR_NULL,
} from '../../common/openapi/properties.js';
import { DAY_MS } from '../../common/datetime/datetime.js';
import { HORIZONS, SUMS, type Tally } from '../model/record.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';
import { ReadQuery } from '../../common/pagination/dto/page.query.js';

const PLAIN = 'Mean error of a plain rule on the same forecasts: the mean use of the last 14 days.';
const SKIPPED =
  'Forecasts that could not be compared: the tank was silent, or a reading was wrong or the tank drained.';
const SHARE = { minimum: 0, maximum: 1 };

export class AccuracyOfHorizonResponse {
  @ApiField('Days after the forecast was made.', 7, { enum: HORIZONS, type: 'integer' })
  days: number;

  @ApiField('How many forecasts were compared.', 1234, COUNT)
  forecasts: number;

  @ApiField('Share of them with a use within p10 and p90; 0.8 is right, not 1.', 0.81, {
    ...NUMBER_OR_NULL,
    ...SHARE,
  })
  within: number | null;

  @ApiField('Share of them with more used than p10 allowed for; 0.1 is right.', 0.09, {
    ...NUMBER_OR_NULL,
    ...SHARE,
  })
  earlier: number | null;

  @ApiField('Mean error of p50, in percentage points.', 1.91, NUMBER_OR_NULL)
  mean_error: number | null;

  @ApiField(PLAIN, 3.02, NUMBER_OR_NULL)
  plain_error: number | null;
}

export class AccuracyOfTankResponse {
  @ApiInstantOrNull('The oldest forecast that was compared.', '2025-11-03T00:00:00.000Z')
  since: string | null;

  @ApiInstantOrNull('The newest forecast that was compared.', '2026-10-26T00:00:00.000Z')
  until: string | null;

  @ApiField(SKIPPED, 12, COUNT)
  skipped: number;

  @ApiProperty({ type: [AccuracyOfHorizonResponse], description: 'After 1, 3, 7, 14 and 28 days.' })
  horizons: AccuracyOfHorizonResponse[];
}

export class ForecastAccuracyResponse extends AccuracyOfTankResponse {
  @ApiObjectName('forecast_accuracy')
  object: 'forecast_accuracy';
}

const instantOf = (night: number | null): string | null =>
  night === null ? null : new Date(night * DAY_MS).toISOString();

export function toAccuracyOfTank([
  since = null,
  until = null,
  skipped,
  ...sums
]: Tally): AccuracyOfTankResponse {
  const horizons = HORIZONS.map((days, i) => {
    const [forecasts, ...others] = sums.slice(i * SUMS, (i + 1) * SUMS).map((sum) => sum ?? 0);
    const means = others.map((sum) => (forecasts ? Math.round((sum / forecasts) * 100) / 100 : null));
    const [within = null, earlier = null, mean_error = null, plain_error = null] = means;
    return { days, forecasts: forecasts ?? 0, within, earlier, mean_error, plain_error };
  });
  return { since: instantOf(since), until: instantOf(until), skipped: skipped ?? 0, horizons };
}

export function toAccuracyResponse(tally: Tally): ForecastAccuracyResponse {
  return Object.assign({ object: 'forecast_accuracy' as const }, toAccuracyOfTank(tally));
}

export class AccuracyQuery extends ReadQuery {
  @ApiOptional("Only forecasts of this customer's tanks.", { minLength: 1 }, IsFilled())
  owner_id?: string;
}
