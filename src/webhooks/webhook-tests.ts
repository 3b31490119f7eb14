// Sends a test to a webhook endpoint at once. Only so many run at a time: each may wait 15 s for a receiver.
import { Inject, Injectable } from '@nestjs/common';
import { RunningTests } from '../common/writes/running-tests.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { WAKE } from './delivery-queue.statements.js';
import type { WebhookTestResponse } from './dto/webhook-endpoint.response.js';
import { SecretBox } from './secrets.js';
import { Sender, sendPing } from './send.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const MOST_AT_ONCE = 8;

@Injectable()
export class WebhookTests {
  private readonly running = new RunningTests(MOST_AT_ONCE);

  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
  ) {}

  /** A success wakes what waits, unless the endpoint is disabled: its first success wakes the rest. */
  test(id: string, writer: Writer, beginToWait?: () => void): Promise<WriteResult<WebhookTestResponse>> {
    return this.running.run(writer, () => this.ping(id, writer, beginToWait));
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
}
