// A key as it is asked for. What the caller may give is checked against the caller, in keys.ts.
import { applyDecorators } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../common/auth/scope.js';
import { ApiField, ApiInstantOrNull, TEXT_OR_NULL } from '../../common/openapi/properties.js';
import { fault, quote } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsExactly,
  IsInstant,
  IsNumberIn,
  IsText,
  IsTrueOrFalse,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import { ID, unknownMember } from '../../common/validation/values.js';

const DAY = 86_400;

const HasScopes = () =>
  fieldRule('hasScopes', (value) => {
    if (!Array.isArray(value) || value.length === 0)
      return fault('must be an array of at least one scope', quote(value));
    return unknownMember(value, SCOPES, 'scope');
  });

const IsInTheFuture = () =>
  applyDecorators(
    IsInstant(),
    fieldRule('isInTheFuture', (value) =>
      value instanceof Date && value.getTime() <= Date.now()
        ? fault('must be in the future', quote(value))
        : undefined,
    ),
  );

export class ApiKeyInput {
  @MayBeLeftOut()
  @IsExactly('key')
  object?: 'key';

  @ApiField('What the key is for.', 'route planner', { minLength: 1, maxLength: 200 })
  @IsText({ min: 1, max: 200 })
  name: string;

  @ApiField('What the key may do: some of what you may do.', ['read', 'tanks:write'], {
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    required: false,
    default: DEFAULT_SCOPES,
  })
  @MayBeLeftOut()
  @HasScopes()
  scopes?: readonly Scope[];

  @ApiField(
    "Binds the key to this customer; null, or left out, for one that sees everything. With a caller that is bound to a customer: that one's.",
    null,
    { ...TEXT_OR_NULL, required: false },
  )
  @IsOptional()
  @IsText(ID)
  customer_id?: string | null;

  @ApiInstantOrNull(
    'When the key ends; null, or left out, for never. Not after your own end.',
    '2027-01-31T00:00:00.000Z',
    { required: false },
  )
  @IsOptional()
  @IsInTheFuture()
  expires_at?: Date | null;
}

export class KeyRollInput {
  @ApiField('How long the old key still works, in seconds. It never works longer than it would have.', DAY, {
    type: 'integer',
    minimum: 0,
    maximum: 7 * DAY,
    required: false,
    default: DAY,
  })
  @MayBeLeftOut()
  @IsNumberIn({ min: 0, max: 7 * DAY, isWhole: true })
  keep_seconds?: number;
}

/** The body of POST /auth/key. */
export class KeySignInInput {
  /** Any text: a wrong one is refused as a wrong key. */
  @IsText()
  key: string;

  @MayBeLeftOut()
  @IsTrueOrFalse()
  stay?: boolean;
}
