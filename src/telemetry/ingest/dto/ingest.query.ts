// The one parameter of POST /v1/telemetry.
import { ApiOptional } from '../../../common/openapi/properties.js';
import { IsFlag } from '../../../common/validation/parameter-rules.js';

export class IngestQuery {
  @ApiOptional(
    'With `true`, nothing is stored if any reading is refused.',
    { enum: ['true', 'false'], default: 'false' },
    IsFlag(),
  )
  atomic: boolean = false;
}
