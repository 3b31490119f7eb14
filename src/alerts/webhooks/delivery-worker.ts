// Delivers what is due: claims a few deliveries at a time, sends them side by side, and writes down what became of them. Any
// number of workers may run on one database. Memory is bounded by what may be under way, time by what one try may take.
import type { Logger } from '../../logging/logger.js';
import type { Answered, ClaimedDelivery, Deliveries, OpenEndpoint } from './deliveries.js';
import { MAX_TRIES } from './retries.js';
import type { Sender } from './send.js';
import { PLACES, Shares, STANDINGS } from './shares.js';
import { signedHeaders } from './signature.js';

/** How soon something new is noticed, and how long a few answers are collected before they are written down together. */
const LOOK_EVERY_MS = 500;
const COLLECT_MS = 10;

export type DeliveryOutcome = 'delivered' | 'retried' | 'failed';

export class DeliveryWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly shares = new Shares();
  private answered: Answered[] = [];
  private endpoints = new Map<string, OpenEndpoint>();
  private restored = 0;
  private isOut = false;
  private stopping = false;
  private running: Promise<void> | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly sender: Sender,
    private readonly logger: Logger,
    private readonly onOutcome: (outcome: DeliveryOutcome) => void = () => undefined,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Claims nothing more, lets what is under way end, and writes down how it did: nothing is sent twice for a polite stop. */
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
      const claimed = await this.workIfPossible();
      await this.pause(claimed > 0 && this.underWay.size < PLACES ? COLLECT_MS : LOOK_EVERY_MS);
    }
  }

  /** An outage is logged once, however long it lasts. */
  private async workIfPossible(): Promise<number> {
    try {
      const begun = await this.work();
      this.isOut = false;
      return begun;
    } catch (error) {
      if (!this.isOut) this.logOutage(error);
      this.isOut = true;
      return 0;
    }
  }

  /** Returns how many deliveries were begun. */
  private async work(): Promise<number> {
    await this.record();
    if (this.underWay.size >= PLACES) return 0;
    const { open, restored } = await this.deliveries.openEndpoints();
    this.warnOfRestored(restored);
    this.endpoints = new Map(open.map((endpoint) => [endpoint.id, endpoint]));
    this.shares.meet(open);
    let begun = 0;
    for (const standing of STANDINGS) begun += await this.claim(standing);
    return begun;
  }

  private async claim(standing: (typeof STANDINGS)[number]): Promise<number> {
    const turn = this.shares.turn([...this.endpoints.keys()], standing);
    if (turn.rooms.length === 0 || turn.most <= 0 || this.stopping) return 0;
    const claimed = await this.deliveries.claim(turn);
    for (const delivery of claimed) this.begin(delivery);
    return claimed.length;
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
    if (endpoint === undefined)
      throw new Error('A delivery was claimed for an endpoint that was not asked for.');
    const headers = signedHeaders(delivery.eventId, delivery.body, endpoint.secrets);
    const outcome = await this.sender.send(endpoint.url, headers, delivery.body);
    this.shares.end(delivery.endpointId, outcome.delivered);
    this.answered.push({ delivery, outcome });
  }

  private async record(): Promise<void> {
    const answered = this.answered;
    if (answered.length === 0) return;
    this.answered = [];
    try {
      const disabled = await this.deliveries.record(answered);
      for (const { id, reason } of disabled) this.logger.warn({ webhook: id, reason }, 'webhook disabled');
    } catch (error) {
      this.answered.push(...answered); // the claim lasts a while longer
      throw error;
    }
    for (const answer of answered) this.tell(answer);
  }

  private tell({ delivery, outcome }: Answered): void {
    const facts = { webhook: delivery.endpointId, event: delivery.eventId, tries: delivery.tries };
    if (outcome.delivered) {
      this.onOutcome('delivered');
      this.logger.debug(facts, 'webhook delivered');
      return;
    }
    this.onOutcome(delivery.tries < MAX_TRIES ? 'retried' : 'failed');
    this.logger.info({ ...facts, status: outcome.status, reason: outcome.reason }, 'webhook not delivered');
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

  /** Until something ends, there may be something new, or the service stops. */
  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const clock = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(clock);
        if (this.stopping) resolve();
        else setTimeout(resolve, COLLECT_MS);
      };
    });
  }
}
