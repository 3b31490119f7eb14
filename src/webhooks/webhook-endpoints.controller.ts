// /v1/webhook_endpoints: lists, shows, creates, changes and deletes endpoints, rolls their secret, tests them, sends events again; lists deliveries.
import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundCustomerId, NeedsScope } from '../common/auth/caller.js';
import { postgresBound } from '../common/datetime/datetime.js';
import { allowTime } from '../common/http/connections.js';
import { TaggedBy } from '../common/http/tagged-by.js';
import { ApiProblem } from '../common/openapi/problems.decorator.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { PingResponse } from './dto/ping.response.js';
import { WebhookDeliveriesQuery, WebhookDeliveryListResponse } from './dto/webhook-delivery.response.js';
import type { WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import {
  ReplayInput,
  WebhookEndpointInput,
  WebhookEndpointPatch,
  markBadUrl,
} from './dto/webhook-endpoint.input.js';
import {
  DeletedWebhookEndpointResponse,
  WebhookEndpointListResponse,
  WebhookEndpointResponse,
  WebhookEndpointWithSecretResponse,
  WebhookReplayResponse,
  WebhookTestResponse,
  taggedPart,
} from './dto/webhook-endpoint.response.js';
import { isDisabled, WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { tooMany, WebhookEndpointsService, webhooksOff } from './webhook-endpoints.service.js';
import { WebhookTests } from './webhook-tests.js';

export const EXAMPLE_ID = '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a';
const SCOPE = 'Needs a key with the scope `webhooks`.';
const ApiOff = () =>
  ApiProblem('`webhooks_off`: the operator has set no `WEBHOOK_SECRET_KEY`.', webhooksOff());
const ENDPOINT = {
  object: 'webhook endpoint',
  name: 'WebhookEndpoint',
  scope: 'webhooks',
  response: WebhookEndpointResponse,
  deleted: DeletedWebhookEndpointResponse,
} as const;
const OF_ONE = {
  exampleId: 'example-endpoint',
  conflicts: ['`webhooks_off`: the operator has set no `WEBHOOK_SECRET_KEY`.', webhooksOff()],
} as const;
const EXAMPLE = {
  url: 'https://example.com/hook',
  types: ['tank.low', 'tank.silent'],
  description: 'the pager',
};

const CHECKED_URL = { prepare: markBadUrl };

/** A receiver has 15 seconds. */
const TEST_WITHIN_MS = 20_000;
/** Enough for 100,000 events on a busy machine. What is left then is queued all the same. */
const REPLAY_WITHIN_MS = 30_000;

@ApiTags('Webhooks')
@NeedsScope('webhooks')
@TaggedBy(taggedPart)
@Controller({ path: 'webhook_endpoints', version: '1' })
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly tests: WebhookTests,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: `Newest first, never with a secret. ${SCOPE}`,
  })
  @ApiList(WebhookEndpointListResponse, 'A page of webhook endpoints.', undefined, 'webhooks')
  @ApiOff()
  list(
    @Query() query: ListQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<WebhookEndpointResponse>> {
    return this.endpoints.list(query, boundTo);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getWebhookEndpoint',
    summary: 'Retrieve a webhook endpoint',
    description: SCOPE,
  })
  @ApiId('webhook endpoint', EXAMPLE_ID)
  @ApiAnswer(WebhookEndpointResponse, 'The webhook endpoint. Its `ETag` leaves `failing_since` out.', {
    scope: 'webhooks',
  })
  @ApiOff()
  get(@Param('id') id: string, @BoundCustomerId() boundTo: string | null): Promise<WebhookEndpointResponse> {
    return this.endpoints.get(id, boundTo);
  }

  @Get(':id/deliveries')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries to a webhook endpoint',
    description: `The newest 10,000, newest first: what was sent, and how it was answered. Kept as long as their events. ${SCOPE}`,
  })
  @ApiId('webhook endpoint', EXAMPLE_ID)
  @ApiList(WebhookDeliveryListResponse, 'A page of deliveries.', undefined, 'webhooks')
  @ApiOff()
  listDeliveries(
    @Param('id') id: string,
    @Query() query: WebhookDeliveriesQuery,
    @BoundCustomerId() boundTo: string | null,
  ): Promise<Page<WebhookDeliveryResponse>> {
    return this.deliveries.list(id, query, boundTo);
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  @Writes('webhooks', CHECKED_URL)
  @ApiCreation(
    { ...ENDPOINT, response: WebhookEndpointWithSecretResponse },
    {
      description:
        'Events from now on are posted to its URL. The answer alone has the `secret` that deliveries are signed with: store it. If the answer is lost, list the endpoints, and roll the secret of the new one.',
      body: { type: WebhookEndpointInput, example: EXAMPLE },
      conflicts: [
        `${OF_ONE.conflicts[0]} \`too_many\`: a customer has at most 100, and there are at most 100 without one.`,
        tooMany(),
      ],
    },
  )
  create(
    @Body() body: WebhookEndpointInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<WebhookEndpointWithSecretResponse>> {
    return this.endpoints.create(body, writer);
  }

  @Patch(':id')
  @Writes('webhooks', CHECKED_URL)
  @ApiMerge(ENDPOINT, {
    ...OF_ONE,
    description:
      'A merge patch (RFC 7396): what is left out stays. A new `url` keeps the secret, and gets what is pending.',
    body: { type: WebhookEndpointPatch, example: { types: null, enabled: true } },
  })
  patch(
    @Param('id') id: string,
    @Body() body: WebhookEndpointPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<WebhookEndpointResponse>> {
    return this.endpoints.patch(id, body, writer);
  }

  @Delete(':id')
  @Writes('webhooks')
  @ApiDeletion(ENDPOINT, {
    ...OF_ONE,
    exampleId: 'old-endpoint',
    description: 'With what is pending, and the list of its deliveries.',
  })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedWebhookEndpointResponse>> {
    return this.endpoints.remove(id, writer);
  }

  @Post(':id/roll_secret')
  @Header('Cache-Control', 'no-store')
  @Writes('webhooks', OPTIONAL_BODY)
  @ApiAction(
    ENDPOINT,
    {
      ...OF_ONE,
      operationId: 'rollWebhookSecret',
      summary: 'Replace the secret of a webhook endpoint',
      description:
        'The answer alone has the new `secret`. For 24 hours both sign, so that the receiver can change over.',
    },
    ['The webhook endpoint, with its new secret.', WebhookEndpointWithSecretResponse],
  )
  rollSecret(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<WebhookEndpointWithSecretResponse>> {
    return this.endpoints.rollSecret(id, writer);
  }

  @Post(':id/test')
  @Header('Cache-Control', 'no-store')
  @Writes('webhooks', OPTIONAL_BODY)
  @ApiExtraModels(PingResponse)
  @ApiAction(
    ENDPOINT,
    {
      ...OF_ONE,
      operationId: 'testWebhookEndpoint',
      summary: 'Send a ping to a webhook endpoint',
      description:
        'Now, and also to a disabled one. It enables and counts nothing. A success has what waits for a retry to an enabled endpoint tried at once.',
    },
    ['What came back, also when it was not delivered.', WebhookTestResponse],
  )
  test(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WriteResult<WebhookTestResponse>> {
    allowTime(response, TEST_WITHIN_MS);
    return this.tests.test(id, writer, response.req.leaveSeats); // a slow receiver holds nobody's seat
  }

  @Post(':id/replay')
  @Header('Cache-Control', 'no-store')
  @Writes('webhooks')
  @ApiAction(
    ENDPOINT,
    {
      ...OF_ONE,
      operationId: 'replayWebhookEvents',
      summary: 'Send events to a webhook endpoint again',
      description:
        'Every kept event since then, and since the endpoint was created, that it would get now, whether it was delivered, failed or happened while the endpoint was disabled; except what is pending. With their first ids.',
      body: { type: ReplayInput, example: { since: '2026-10-31T00:00:00Z' } },
      conflicts: [`${OF_ONE.conflicts[0]} \`disabled\`: the endpoint is disabled.`, isDisabled()],
    },
    ['How many events are sent again.', WebhookReplayResponse],
  )
  replay(
    @Param('id') id: string,
    @Body() { since }: ReplayInput,
    @CurrentWriter() writer: Writer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WriteResult<WebhookReplayResponse>> {
    allowTime(response, REPLAY_WITHIN_MS);
    return this.deliveries.replay(id, postgresBound(since.getTime()), writer);
  }
}
