// Delivers what is due: claims a few deliveries at a time, sends them side by side, and records the results. Any number of workers may
// run on one database.
import type { Logger } from '../platform/logging/logger.js';
import type { DeliveryOutcome } from '../platform/metrics/metrics.js';
import { beginSpan } from '../platform/tracing/tracing.js';
import { answeredWith } from './deliveries.js';
import type { Answered, ClaimedDelivery, Deliveries, OpenEndpoint } from './deliveries.js';
import { signedHeaders, type Sender } from './send.js';
import { PLACES, Shares } from './shares.js';

/** How soon something new is noticed, and how long answers are collected before they are recorded together. */
const POLL_MS = 500;
const BATCH_DELAY_MS = 10;

export class DeliveryWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly shares = new Shares();
  private answered: Answered[] = [];
  /** Endpoints that have answered, and for which others may wait. */
  private readonly toWake = new Set<string>();
  private endpoints = new Map<string, OpenEndpoint>();
  private restored = 0;
  private hasFailed = false;
  private stopping = false;
  private running: Promise<void> | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly sender: Sender,
    private readonly logger: Logger,
    private readonly onOutcome: (outcome: DeliveryOutcome, webhook: string) => void = () => undefined,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Waits for what is under way and records it, so that nothing is sent twice. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
    await Promise.all(this.underWay);
    await this.record().catch((error: unknown) => this.logOutage(error));
    this.sender.close();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      let looked = 0;
      try {
        looked = await this.work();
        this.hasFailed = false;
      } catch (error) {
        if (!this.hasFailed) this.logOutage(error);
        this.hasFailed = true;
      }
      await this.pause(looked > 0 && this.underWay.size < PLACES ? BATCH_DELAY_MS : POLL_MS);
    }
  }

  /** Returns how many lines of deliveries were looked at: there may be more. */
  private async work(): Promise<number> {
    await this.record();
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
    for (const delivery of claimed) this.begin(delivery);
    return looked;
  }

  private begin(delivery: ClaimedDelivery): void {
    this.shares.begin(delivery.endpointId);
    const sending = this.send(delivery).finally(() => {
      this.underWay.delete(sending);
      this.wake();
    });
    this.underWay.add(sending);
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

  private async record(): Promise<void> {
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

  private logOutage(error: unknown): void {
    this.logger.warn({ err: error }, 'webhooks wait: the database cannot be reached');
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

  /** Ends early when a delivery ends or the service stops. */
  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const clock = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(clock);
        if (this.stopping) resolve();
        else setTimeout(resolve, BATCH_DELAY_MS);
      };
    });
  }
}

function outcomeOf({ outcome, delayMs }: Answered): DeliveryOutcome {
  if (outcome.delivered) return 'delivered';
  return delayMs === undefined ? 'failed' : 'retried';
}
