// A webhook endpoint as the API shows it, and what its actions answer. The secret is in two answers only.
import { PickType } from '@nestjs/swagger';
import { isoFrom, isoOrNull } from '../../common/datetime/datetime.js';
import {
  ApiDeleted,
  ApiField,
  ApiInstant,
  ApiInstantOrNull,
  ApiObjectName,
  COUNT,
  TEXT_OR_NULL,
} from '../../common/openapi/properties.js';
import { createListResponse } from '../../common/pagination/dto/list.response.js';
import { shownAs, type Row } from '../../common/shown-as.js';
import { EVENT_TYPES } from '../../rules.js';
import type { SecretBox } from '../secrets.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';

export const TYPES = {
  type: 'string',
  isArray: true,
  enum: EVENT_TYPES,
  nullable: true,
  minItems: 1,
} as const;

export class WebhookEndpointResponse {
  @ApiField('Unique identifier of the endpoint.', '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a')
  id: string;

  @ApiObjectName('webhook_endpoint')
  object: 'webhook_endpoint';

  @ApiInstant('When it was created: it gets events from then on.', '2026-01-31T08:15:30.123Z')
  created_at: string;

  @ApiInstant('When it was last changed.', '2026-09-02T11:00:00.000Z')
  updated_at: string;

  @ApiField('Where events are posted to.', 'https://example.com/hook')
  url: string;

  @ApiField('Only these events; null for all.', ['tank.low', 'tank.silent'], TYPES)
  types: string[] | null;

  @ApiField('What it is for.', 'the pager', TEXT_OR_NULL)
  description: string | null;

  @ApiField(
    "Only the events of this customer's tanks; null for all.",
    '019b7a6e-2c00-7d3c-9a51-5f0f5b1c2a77',
    TEXT_OR_NULL,
  )
  customer_id: string | null;

  @ApiField('Whether events are sent: `waiting` ones are kept until the operator has acted.', 'enabled', {
    type: 'string',
    enum: ['enabled', 'disabled', 'waiting'],
  })
  state: 'enabled' | 'disabled' | 'waiting';

  @ApiField('Why nothing is sent.', null, TEXT_OR_NULL)
  reason: string | null;

  @ApiInstantOrNull(
    'The first failure since a success; null when the last delivery succeeded.',
    '2026-10-31T18:00:00.000Z',
  )
  failing_since: string | null;
}

export class WebhookEndpointWithSecretResponse extends WebhookEndpointResponse {
  @ApiField(
    'What deliveries are signed with. It is shown in this answer only.',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  )
  secret: string;
}

export class DeletedWebhookEndpointResponse extends PickType(WebhookEndpointResponse, [
  'id',
  'object',
] as const) {
  @ApiDeleted('endpoint')
  deleted: true;
}

export const WebhookEndpointListResponse = createListResponse(
  WebhookEndpointResponse,
  'WebhookEndpointListResponse',
);

export class WebhookTestResponse {
  @ApiObjectName('webhook_test')
  object: 'webhook_test';

  @ApiField('Whether it was answered with a 2xx.', true)
  delivered: boolean;

  @ApiField('The status of the answer; null without one.', 204, { type: 'integer', nullable: true })
  status: number | null;

  @ApiField('How long it took.', 12, COUNT)
  milliseconds: number;

  @ApiField('Why it was not delivered.', null, TEXT_OR_NULL)
  detail: string | null;
}

export class WebhookReplayResponse {
  @ApiObjectName('webhook_replay')
  object: 'webhook_replay';

  @ApiField('How many events are sent again.', 12, COUNT)
  queued: number;
}

/** `here`: the database that this is. */
export type WebhookEndpointRow = Row<WebhookEndpoint> & { readonly here: string };

export function toWebhookEndpointResponse(row: WebhookEndpointRow, box: SecretBox): WebhookEndpointResponse {
  return shownAs(WebhookEndpointResponse, {
    ...row,
    object: 'webhook_endpoint',
    created_at: isoFrom(row.created_at),
    updated_at: isoFrom(row.updated_at),
    ...describeState(row, box),
    failing_since: isoOrNull(row.failing_since),
  });
}

/** Whether events are sent to it, and if not, why. */
function describeState(
  row: WebhookEndpointRow,
  box: SecretBox,
): Pick<WebhookEndpointResponse, 'state' | 'reason'> {
  if (row.disabled_at !== null) return { state: 'disabled', reason: row.disabled_reason ?? 'reason unknown' };
  if (row.made_in !== row.here) {
    const reason = 'this database was restored from a backup of another (resume delivers from here)';
    return { state: 'waiting', reason };
  }
  if (box.open(row.secret, row.id) === undefined) {
    const reason = 'WEBHOOK_SECRET_KEY does not open its secret (roll-secret makes a new one)';
    return { state: 'waiting', reason };
  }
  return { state: 'enabled', reason: null };
}

/** What its `ETag` names: not whether its receiver answers just now, and not the secret, which only two answers have. */
export function taggedPart(shown: object): object {
  return Object.assign({}, shown, { failing_since: undefined, secret: undefined });
}
