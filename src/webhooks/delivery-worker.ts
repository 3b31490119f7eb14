// Delivers what is due: claims a few deliveries at a time, sends them side by side, and records the results. Any number of workers may
// run on one database.
import { BATCH_DELAY_MS, SendingLoop } from '../platform/lifecycle/sending-loop.js';
import type { Logger } from '../platform/logging/logger.js';
import type { DeliveryOutcome } from '../platform/metrics/metrics.js';
import { beginSpan } from '../platform/tracing/tracing.js';
import { answeredWith } from './deliveries.js';
import type { Answered, ClaimedDelivery, Deliveries, OpenEndpoint } from './deliveries.js';
import { signedHeaders, type Sender } from './send.js';
import { PLACES, Shares } from './shares.js';

/** How soon something new is noticed. */
const POLL_MS = 500;

export class DeliveryWorker extends SendingLoop {
  private readonly shares = new Shares();
  private answered: Answered[] = [];
  /** Endpoints that have answered, and for which others may wait. */
  private readonly toWake = new Set<string>();
  private endpoints = new Map<string, OpenEndpoint>();
  private restored = 0;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly sender: Sender,
    logger: Logger,
    private readonly onOutcome: (outcome: DeliveryOutcome, webhook: string) => void = () => undefined,
  ) {
    super(logger, 'webhooks');
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.sender.close();
  }

  protected async work(): Promise<number> {
    const looked = await this.beginDue();
    return looked > 0 && this.underWay.size < PLACES ? BATCH_DELAY_MS : POLL_MS;
  }

  /** Returns how many lines of deliveries were looked at: there may be more. */
  private async beginDue(): Promise<number> {
    if (this.toWake.size > 0 && (await this.deliveries.wake([...this.toWake]))) this.toWake.clear();
    if (this.underWay.size >= PLACES) return 0;
    const { open, restored } = await this.deliveries.openEndpoints();
    this.warnOfRestored(restored);
    this.endpoints = new Map(open.map((endpoint) => [endpoint.id, endpoint]));
    this.shares.update(open);
    const rooms = this.shares.rooms([...this.endpoints.keys()]);
    const places = rooms.length === 0 ? [] : this.shares.divide(await this.deliveries.findDue(rooms));
    if (places.length === 0 || this.stopping) return 0;
    const { looked, claimed } = await this.deliveries.claim(places);
    for (const delivery of claimed) {
      this.shares.begin(delivery.endpointId);
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
    this.shares.end(delivery.endpointId, outcome.delivered);
    const answered = answeredWith(delivery, outcome, span?.traceId);
    this.answered.push(answered);
    span?.end(
      'deliver webhook',
      {
        'webhook.id': delivery.endpointId,
        'webhook.event': delivery.eventId,
        'webhook.tries': delivery.tries,
        'webhook.outcome': outcomeOf(answered),
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
      const disabled = await this.deliveries.record(answered);
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
    this.onOutcome(outcomeOf(answered), endpointId);
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

function outcomeOf({ outcome, delayMs }: Answered): DeliveryOutcome {
  if (outcome.delivered) return 'delivered';
  return delayMs === undefined ? 'failed' : 'retried';
}
