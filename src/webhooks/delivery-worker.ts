// Delivers what is due: claims a few deliveries at a time, sends them side by side, and records the results. Any number of workers may
// run on one database.
import { Inject, Injectable } from '@nestjs/common';
import { BATCH_DELAY_MS, Scheduler } from '../platform/lifecycle/scheduler.js';
import { Sending } from '../platform/lifecycle/sending.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { beginSpan } from '../platform/tracing/tracing.js';
import { answeredWith, DeliveryQueue } from './delivery-queue.js';
import type { Answered, ClaimedDelivery, OpenEndpoint } from './delivery-queue.js';
import { Sender, signedHeaders } from './send.js';
import { SLOTS, DeliverySlots } from './delivery-slots.js';

@Injectable()
export class DeliveryWorker extends Sending {
  readonly name = 'deliveries';
  /** How soon something new is noticed. */
  readonly everyMs = 500;
  private readonly slots = new DeliverySlots();
  private answered: Answered[] = [];
  /** Endpoints that have answered, and for which others may wait. */
  private readonly toWake = new Set<string>();
  private endpoints = new Map<string, OpenEndpoint>();
  private restored = 0;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: Sender,
    scheduler: Scheduler,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'countDelivery'>,
  ) {
    super(scheduler);
  }

  override async end(): Promise<void> {
    await super.end();
    this.sender.close();
  }

  protected async work(stopped: AbortSignal): Promise<number> {
    const looked = await this.beginDue(stopped);
    return looked > 0 && this.underWay.size < SLOTS ? BATCH_DELAY_MS : this.everyMs;
  }

  /** Returns how many lines of deliveries were looked at: there may be more. */
  private async beginDue(stopped: AbortSignal): Promise<number> {
    if (this.toWake.size > 0 && (await this.queue.wake([...this.toWake]))) this.toWake.clear();
    if (this.underWay.size >= SLOTS) return 0;
    const { open, restored } = await this.queue.openEndpoints();
    this.warnOfRestored(restored);
    this.endpoints = new Map(open.map((endpoint) => [endpoint.id, endpoint]));
    this.slots.update(open);
    const rooms = this.slots.rooms([...this.endpoints.keys()]);
    const slots = rooms.length === 0 ? [] : this.slots.divide(await this.queue.findDue(rooms));
    if (slots.length === 0 || stopped.aborted) return 0;
    const { looked, claimed } = await this.queue.claim(slots);
    for (const delivery of claimed) {
      this.slots.begin(delivery.endpointId);
      this.begin(this.send(delivery));
    }
    return looked;
  }

  private async send(delivery: ClaimedDelivery): Promise<void> {
    const endpoint = this.endpoints.get(delivery.endpointId);
    if (endpoint === undefined) throw new Error('A delivery was claimed for an unknown endpoint.');
    const headers = signedHeaders(delivery.eventId, delivery.body, endpoint.secrets);
    const span = beginSpan(undefined, delivery.causedBy);
    const outcome = await this.sender.send(endpoint.url, headers, delivery.body);
    this.slots.end(delivery.endpointId, outcome.delivered);
    const answered = answeredWith(delivery, outcome, span?.traceId);
    this.answered.push(answered);
    span?.end(
      'deliver webhook',
      {
        'webhook.id': delivery.endpointId,
        'webhook.event': delivery.eventId,
        'webhook.tries': delivery.tries,
        'webhook.outcome': answered.became,
        'http.response.status_code': outcome.status ?? undefined,
      },
      !outcome.delivered,
    );
  }

  protected async record(): Promise<void> {
    const answered = this.answered;
    if (answered.length === 0) return;
    this.answered = [];
    try {
      const disabled = await this.queue.record(answered);
      for (const { id, reason } of disabled) this.logger.warn({ webhook: id, reason }, 'webhook disabled');
    } catch (error) {
      this.answered.push(...answered); // tried again: the claim is still valid
      throw error;
    }
    for (const answer of answered) this.report(answer);
  }

  private report(answered: Answered): void {
    const { delivery, outcome, traceId } = answered;
    const { endpointId, eventId, tries } = delivery;
    const facts = { webhook: endpointId, event: eventId, tries, trace_id: traceId };
    this.metrics.countDelivery(answered.became, endpointId);
    if (outcome.delivered) {
      this.toWake.add(delivery.endpointId);
      this.logger.debug(facts, 'webhook delivered');
    } else {
      this.logger.warn({ ...facts, status: outcome.status, reason: outcome.reason }, 'webhook not delivered');
    }
  }

  private warnOfRestored(restored: number): void {
    if (restored > this.restored) {
      this.logger.warn(
        { webhooks: restored },
        'webhooks wait: this database was restored from a backup of another; run "webhooks resume" to deliver from here',
      );
    }
    this.restored = restored;
  }
}
