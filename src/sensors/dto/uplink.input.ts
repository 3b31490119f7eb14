// What uplinks are sent, listed and tried again with.
import { IsOptional, IsString } from 'class-validator';
import { ApiOptional } from '../../common/openapi/properties.js';
import { ListQuery } from '../../common/pagination/dto/list.query.js';
import { fault, quote } from '../../common/validation/fault.js';
import { fieldRule, IsText } from '../../common/validation/field-rules.js';
import { IsFilled, IsFlag, IsOneOf, saying } from '../../common/validation/parameter-rules.js';
import { REASONS, type Reason } from '../interpret.js';

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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null is as if it were left out: the last `next` is null. */
export class RetryInput {
  @IsOptional()
  @IsText({ min: 1 })
  device_id?: string | null;

  @IsOptional()
  @fieldRule('isNext', (value) =>
    typeof value === 'string' && UUID.test(value)
      ? undefined
      : fault('must be the next of an earlier answer', quote(value)),
  )
  after?: string | null;
}
