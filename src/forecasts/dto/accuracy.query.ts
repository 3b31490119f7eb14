// Whose forecasts.
import { ApiOptional } from '../../common/openapi/properties.js';
import { IsFilled } from '../../common/validation/parameter-rules.js';

export class AccuracyQuery {
  @ApiOptional("Only forecasts of this customer's tanks.", { minLength: 1 }, IsFilled())
  owner_id?: string;
}
