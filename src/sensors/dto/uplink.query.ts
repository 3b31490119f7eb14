// The parameters of a message of a network server.
import { IsString } from 'class-validator';
import { ApiOptional } from '../../common/openapi/properties.js';
import { IsFlag, saying } from '../../common/validation/parameter-rules.js';

export class UplinkQuery {
  @ApiOptional(
    'With `true`, nothing is stored, noted or counted; the answer says what would happen.',
    { enum: ['true', 'false'], default: 'false' },
    IsFlag(),
  )
  dry_run: boolean = false;
}

export class SourceUplinkQuery extends UplinkQuery {
  @ApiOptional('AWS IoT adds it to the address that it asks to be confirmed.', {}, IsString(saying(() => '')))
  confirmationToken?: string;
}

export class ChirpStackQuery extends UplinkQuery {
  @ApiOptional(
    'What happened, as ChirpStack adds it to the address. Only `up` can be a reading; `status` tells the battery.',
    { default: 'up' },
    IsString(saying(() => '')),
  )
  event?: string;
}
