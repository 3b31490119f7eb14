// Sends a test to a webhook endpoint at once. Only so many run at a time: each may wait 15 s for a receiver.
import { Inject, Injectable } from '@nestjs/common';
import { unavailable, type Problem } from '../common/problems/problem.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { WAKE } from './delivery-queue.statements.js';
import type { WebhookTestResponse } from './dto/webhook-endpoint.response.js';
import { SecretBox } from './secrets.js';
import { Sender, sendPing } from './send.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const MOST_TESTS = { ofKey: 2, ofCustomer: 4, ofAll: 8 };

@Injectable()
export class WebhookTests {
  /** Who tests an endpoint now. */
  private readonly testing = new Set<Writer>();

  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
  ) {}

  /** A success wakes what waits, unless the endpoint is disabled: its first success wakes the rest. */
  async test(
    id: string,
    writer: Writer,
    beginToWait?: () => void,
  ): Promise<WriteResult<WebhookTestResponse>> {
    this.requireRoom(writer);
    this.testing.add(writer);
    try {
      return await this.ping(id, writer, beginToWait);
    } finally {
      this.testing.delete(writer);
    }
  }

  private async ping(
    id: string,
    writer: Writer,
    beginToWait?: () => void,
  ): Promise<WriteResult<WebhookTestResponse>> {
    const { object: stored } = await this.endpoints.run(writer, async (manager) => ({
      object: (await this.endpoints.lock(manager, id, writer, 'key share')).stored,
    }));
    const { url, secret, previous_secret, previous_secret_until: until, disabled_at } = stored;
    const isOver = until === null || until <= new Date();
    beginToWait?.();
    const began = performance.now();
    const secrets = this.box.openAll(id, secret, isOver ? null : previous_secret);
    const outcome = await sendPing(new Sender(this.config.webhooks), url, secrets);
    const milliseconds = Math.round(performance.now() - began);
    if (outcome.delivered && disabled_at === null)
      await this.endpoints.run(writer, async (manager) => ({
        object: await manager.query<object>(WAKE, [[id]]),
      }));
    const { delivered, status, reason: detail } = outcome;
    return { object: { object: 'webhook_test', delivered, status, milliseconds, detail } };
  }

  private requireRoom({ id, customerId }: Writer): void {
    const running = [...this.testing];
    const ofKey = running.filter((other) => other.id === id);
    const ofCustomer = running.filter((other) => customerId !== null && other.customerId === customerId);
    const isFull =
      ofKey.length >= MOST_TESTS.ofKey ||
      ofCustomer.length >= MOST_TESTS.ofCustomer ||
      running.length >= MOST_TESTS.ofAll;
    if (isFull) throw tooManyTests();
  }
}

function tooManyTests(): Problem {
  const { ofKey, ofCustomer, ofAll } = MOST_TESTS;
  const detail = `At most ${ofKey} tests of a key, ${ofCustomer} of a customer and ${ofAll} in all run at once. Try again when one has ended.`;
  return unavailable('overloaded', detail);
}
