// A recipient as it is sent. Of the fields that the service makes, a patch may hold what was read.
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiField } from '../../common/openapi/properties.js';
import { IsExactly, IsTrueOrFalse, MayBeLeftOut } from '../../common/validation/field-rules.js';
import {
  IsCreationTime,
  MayRepeat,
  NOT_NULL,
  ReadOnlyFields,
} from '../../common/validation/read-only-fields.js';
import { RecipientResponse } from './recipient.response.js';

const OPTIONAL = ['name', 'owner_id', 'events', 'daily_at', 'time_zone', 'language'] as const;

export class RecipientInput extends IntersectionType(
  PickType(RecipientResponse, ['email'] as const),
  PartialType(PickType(RecipientResponse, OPTIONAL), NOT_NULL),
) {
  static readonly fields: readonly string[] = ['object', 'email', ...OPTIONAL];

  @MayBeLeftOut()
  @IsExactly('recipient')
  object?: 'recipient';
}

class Own extends OmitType(ReadOnlyFields, ['deleted'] as const) {
  @IsCreationTime()
  created_at?: Date;

  @ApiField('true: it gets nothing for now, and what is pending is not sent.', true, { required: false })
  @MayBeLeftOut()
  @IsTrueOrFalse()
  paused?: boolean;
}

export class RecipientPatch extends IntersectionType(
  PartialType(OmitType(RecipientInput, ['owner_id'] as const), NOT_NULL),
  Own,
  MayRepeat('owner_id', 'status', 'confirmed_at', 'last_sent_at', 'reason'),
) {
  static readonly fields = Object.keys(new RecipientResponse());
}
