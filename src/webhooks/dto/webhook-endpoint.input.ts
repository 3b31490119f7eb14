// A webhook endpoint as it is sent. Of its other fields, which the service makes, a patch may hold what was read.
import { applyDecorators } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isRecord } from '../../common/bodies/record.js';
import { ApiField, ApiInstant, TEXT_OR_NULL } from '../../common/openapi/properties.js';
import { fault, quote, type Fault } from '../../common/validation/fault.js';
import {
  fieldRule,
  IsExactly,
  IsInstant,
  IsText,
  IsTrueOrFalse,
  MayBeLeftOut,
} from '../../common/validation/field-rules.js';
import {
  IsCreationTime,
  MayRepeat,
  NOT_NULL,
  ReadOnlyFields,
} from '../../common/validation/read-only-fields.js';
import { ID, textFault, unknownMember } from '../../common/validation/values.js';
import type { Config } from '../../platform/config/config.js';
import { EVENT_TYPES } from '../../rules.js';
import { checkUrl, ForbiddenAddress, type AddressRules } from '../addresses.js';
import { TYPES, WebhookEndpointResponse } from './webhook-endpoint.response.js';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 1_000;

/** Takes the place of a URL that is not allowed, since only the settings say which are. */
class BadUrl {
  constructor(readonly reason: string) {}
}

/** Undefined when it may become the URL of an endpoint. */
export function urlFault(url: string, rules: AddressRules): Fault | undefined {
  try {
    checkUrl(url, rules);
    return undefined;
  } catch (error) {
    if (error instanceof ForbiddenAddress) return fault('is not allowed', error.message);
    throw error;
  }
}

export function markBadUrl(body: unknown, { webhooks }: Config): unknown {
  if (!isRecord(body) || typeof body['url'] !== 'string') return body;
  const found = urlFault(body['url'], webhooks);
  return found === undefined ? body : { ...body, url: new BadUrl(String(found.detail)) };
}

const IsWebhookUrl = () =>
  fieldRule('isWebhookUrl', (value) =>
    value instanceof BadUrl
      ? fault('is not allowed', value.reason)
      : textFault(value, { min: 1, max: MAX_URL }),
  );

const HasTypes = () =>
  applyDecorators(
    IsOptional(),
    fieldRule('hasTypes', (value) => {
      if (!Array.isArray(value) || value.length === 0)
        return fault('must be null, for all, or an array of at least one type', quote(value));
      return unknownMember(value, EVENT_TYPES, 'type');
    }),
  );

export class WebhookEndpointInput {
  @MayBeLeftOut()
  @IsExactly('webhook_endpoint')
  object?: 'webhook_endpoint';

  @ApiField('Where events are posted to: https, and a public address.', 'https://example.com/hook', {
    maxLength: MAX_URL,
  })
  @IsWebhookUrl()
  url: string;

  @ApiField('Only these events; null, or left out, for all.', ['tank.low', 'tank.silent'], {
    ...TYPES,
    required: false,
  })
  @HasTypes()
  types?: string[] | null;

  @ApiField('What it is for.', 'the pager', { ...TEXT_OR_NULL, required: false, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @IsText({ max: MAX_DESCRIPTION })
  description?: string | null;

  @ApiField(
    "Only the events of this customer's tanks; null, or left out, for all. With a key that is bound to a customer: that one.",
    null,
    { ...TEXT_OR_NULL, required: false },
  )
  @IsOptional()
  @IsText(ID)
  customer_id?: string | null;
}

class Own extends OmitType(ReadOnlyFields, ['deleted'] as const) {
  @IsCreationTime()
  created_at?: Date;

  @ApiField(
    'Whether events are sent. Those of the time it was disabled are not, unless they are replayed.',
    true,
    {
      required: false,
    },
  )
  @MayBeLeftOut()
  @IsTrueOrFalse()
  enabled?: boolean;
}

export class WebhookEndpointPatch extends IntersectionType(
  PartialType(OmitType(WebhookEndpointInput, ['customer_id'] as const), NOT_NULL),
  Own,
  MayRepeat('customer_id', 'state', 'reason', 'failing_since'),
) {
  static readonly fields = [...Object.keys(new WebhookEndpointResponse()), 'enabled'];
}

export class ReplayInput {
  @ApiInstant('Events since then are sent again.', '2026-10-31T00:00:00.000Z')
  @IsInstant()
  since: Date;
}
