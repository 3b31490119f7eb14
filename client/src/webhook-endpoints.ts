// Webhook endpoints: where events are sent to, and what became of each delivery.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { write, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeletedWebhookEndpoint,
  List,
  ListWebhookDeliveriesQuery,
  ListWebhookEndpointsQuery,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointPatch,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookTest,
} from './types.js';

const PATH = '/v1/webhook_endpoints';

export class WebhookEndpoints {
  constructor(private readonly transport: Transport) {}

  /** All of them, newest first. */
  list(
    query: WalkQuery<ListWebhookEndpointsQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<WebhookEndpoint, void, undefined> {
    return walk<WebhookEndpoint>(this.transport, PATH, query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListWebhookEndpointsQuery = {}, options: RequestOptions = {}): Promise<List<WebhookEndpoint>> {
    return pageOf(this.transport, PATH, query, options);
  }

  async get(id: string, options: RequestOptions = {}): Promise<WebhookEndpoint> {
    return askForJson(this.transport, { ...options, path: PATH + address`/${id}`, isRepeatable: true });
  }

  /** The answer alone has the secret. Not repeated when it is lost: list the endpoints, and roll the secret of the new one. */
  async create(
    input: WebhookEndpointInput,
    options: RequestOptions = {},
  ): Promise<WebhookEndpointWithSecret> {
    return write(this.transport, 'POST', PATH, input, options);
  }

  /** Changes the given fields; null clears one. */
  async patch(
    id: string,
    fields: WebhookEndpointPatch,
    options: WriteOptions = {},
  ): Promise<WebhookEndpoint> {
    return write(this.transport, 'PATCH', PATH + address`/${id}`, fields, options);
  }

  /** Not repeated when the answer is lost: a deleted one is not there. */
  async delete(id: string, options: WriteOptions = {}): Promise<DeletedWebhookEndpoint> {
    return write(this.transport, 'DELETE', PATH + address`/${id}`, undefined, options, false);
  }

  /** The answer alone has the new secret; for 24 hours both sign. */
  async rollSecret(id: string, options: WriteOptions = {}): Promise<WebhookEndpointWithSecret> {
    return write(this.transport, 'POST', PATH + address`/${id}/roll_secret`, undefined, options);
  }

  /** Sends a ping now, and says what came back. */
  async test(id: string, options: RequestOptions = {}): Promise<WebhookTest> {
    return write(this.transport, 'POST', PATH + address`/${id}/test`, undefined, options);
  }

  /** Sends the kept events since a time again, with their first ids. */
  async replay(id: string, since: string | Date, options: RequestOptions = {}): Promise<WebhookReplay> {
    return write(this.transport, 'POST', PATH + address`/${id}/replay`, { since }, options);
  }

  /** What was sent and how it was answered, newest first. */
  deliveries(
    id: string,
    query: WalkQuery<ListWebhookDeliveriesQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    const path = PATH + address`/${id}/deliveries`;
    return walk<WebhookDelivery>(this.transport, path, query, options, (delivery) => delivery.id);
  }

  /** One page of the deliveries, and how many there are: at most 10,000. */
  deliveriesPage(
    id: string,
    query: ListWebhookDeliveriesQuery = {},
    options: RequestOptions = {},
  ): Promise<List<WebhookDelivery>> {
    return pageOf(this.transport, PATH + address`/${id}/deliveries`, query, options);
  }
}
