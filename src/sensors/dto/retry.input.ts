// Which uplinks are tried again. Null is as if it were left out: the last `next` is null.
import { IsOptional } from 'class-validator';
import { fault, quote } from '../../common/validation/fault.js';
import { fieldRule, IsText } from '../../common/validation/field-rules.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
