// The parameters of the list of uplinks in quarantine: the common ones, a device and a reason.
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { IsFilled, IsOneOf } from '../../common/validation/parameter-rules.js';
import { REASONS, type Reason } from '../interpret.js';

export class UplinksQuery extends ListQuery {
  @ApiOptional('Only uplinks of this device; an EUI may be written in any way.', { minLength: 1 }, IsFilled())
  device_id?: string;

  @ApiOptional(
    'Only uplinks that wait for this reason.',
    { enum: REASONS, enumName: 'QuarantineReason' },
    IsOneOf(REASONS),
  )
  reason?: Reason;
}
