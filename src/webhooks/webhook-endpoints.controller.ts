// GET /v1/webhook_endpoints, /v1/webhook_endpoints/:id and /v1/webhook_endpoints/:id/deliveries.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { BoundTo } from '../common/auth/caller.js';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { etagOf } from '../common/http/etag.js';
import { ApiProblem } from '../common/openapi/problems.decorator.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { ListQuery } from '../common/pagination/dto/list.query.js';
import type { Page } from '../common/pagination/page.js';
import { WebhookDeliveriesQuery, WebhookDeliveryListResponse } from './dto/webhook-delivery.response.js';
import type { WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import {
  taggedPart,
  WebhookEndpointListResponse,
  WebhookEndpointResponse,
} from './dto/webhook-endpoint.response.js';
import { EndpointReads } from './endpoint-reads.js';
import { webhooksOff } from './endpoints.js';

export const EXAMPLE_ID = '019b7a6e-4d20-7c11-b0a2-6f1e2d3c4b5a';
const SCOPE = 'Needs a key with the scope `webhooks`.';
const ApiOff = () =>
  ApiProblem('`webhooks_off`: the operator has set no `WEBHOOK_SECRET_KEY`.', webhooksOff());

@ApiTags('Webhooks')
@NeedsScope('webhooks')
@Controller({ path: 'webhook_endpoints', version: '1' })
export class WebhookEndpointsController {
  constructor(private readonly endpoints: EndpointReads) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: `Newest first, never with a secret. ${SCOPE}`,
  })
  @ApiList(WebhookEndpointListResponse, 'A page of webhook endpoints.', undefined, 'webhooks')
  @ApiOff()
  list(@Query() query: ListQuery, @BoundTo() boundTo: string | null): Promise<Page<WebhookEndpointResponse>> {
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
  async get(
    @Param('id') id: string,
    @BoundTo() boundTo: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointResponse> {
    const endpoint = await this.endpoints.get(id, boundTo);
    response.setHeader('ETag', etagOf(JSON.stringify(taggedPart(endpoint))));
    return endpoint;
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
  deliveries(
    @Param('id') id: string,
    @Query() query: WebhookDeliveriesQuery,
    @BoundTo() boundTo: string | null,
  ): Promise<Page<WebhookDeliveryResponse>> {
    return this.endpoints.deliveries(id, query, boundTo);
  }
}
