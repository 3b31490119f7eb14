// Devices that send one reading after the other, each of a minute of its own, and remember which ones were acknowledged.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../support/database.js';
import { ask, type Outcome } from './requests.js';
import { stage } from './stage.js';

export interface SendersOptions {
  readonly serviceUrl: string;
  readonly key: string;
  readonly tankIds: readonly string[];
  readonly senders?: number;
}

/** A sender may wait for a lock longer than a reader. */
const GIVE_UP_MS = 60_000;

export class Senders {
  readonly outcomes: Outcome[] = [];
  /** `tank instant` of what was answered with 200, and of all that was sent. */
  readonly acknowledged = new Set<string>();
  readonly sent = new Set<string>();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly running: Promise<void>[];
  private isOver = false;
  private minute = 0;

  constructor(private readonly options: SendersOptions) {
    const { senders = 16 } = options;
    this.running = Array.from({ length: senders }, (_, number) => this.runSender(number));
    stage.add(this);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
    this.agent.destroy();
  }

  private async runSender(number: number): Promise<void> {
    const { serviceUrl, key, tankIds } = this.options;
    const tankId = tankIds[number % tankIds.length] ?? '';
    while (!this.isOver) {
      const instant = new Date(Date.UTC(2026, 0, 1) + (this.minute += 1) * 60_000).toISOString();
      this.sent.add(`${tankId} ${instant}`);
      const outcome = await sendReading(serviceUrl, key, tankId, instant, this.agent);
      this.outcomes.push(outcome);
      if (outcome.status === 200) this.acknowledged.add(`${tankId} ${instant}`);
      else await sleep(20);
    }
  }
}

export function sendReading(
  serviceUrl: string,
  key: string,
  tankId: string,
  instant: string,
  agent?: Agent,
): Promise<Outcome> {
  const reading = { tank_id: tankId, created_at: instant, fill_percentage: 50 };
  return ask(serviceUrl, {
    path: '/v1/telemetry',
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ readings: [reading] }),
    giveUpMs: GIVE_UP_MS,
    ...(agent === undefined ? {} : { agent }),
  });
}

/** Of these readings, `tank instant` each, those that are not there. */
export async function lostReadings(databaseUrl: string, readings: Iterable<string>): Promise<string[]> {
  const rows = await query<{ id: string; at: Date }>(
    databaseUrl,
    'select id, telemetry.created_at as at from telemetry join tanks on tanks.key = tank_key',
  );
  const stored = new Set(rows.map(({ id, at }) => `${id} ${at.toISOString()}`));
  return [...readings].filter((reading) => !stored.has(reading));
}
