// A small crowd of clients that ask one question after the other, over connections they keep, until told to stop.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Outcome } from './requests.js';
import { stage } from './stage.js';
import { until } from './until.js';

export interface LoadOptions {
  readonly serviceUrl: string;
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly clients?: number;
  /** Between an answer and the client's next question, so that clients, service and PostgreSQL share two cores fairly. */
  readonly pauseMs?: number;
}

export class Load {
  readonly outcomes: Outcome[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[];
  private isOver = false;

  constructor(private readonly options: LoadOptions) {
    const { clients = 20 } = options;
    this.clients = Array.from({ length: clients }, (_, number) => this.runClient(number));
    stage.add(this);
  }

  /** Everything that was asked has its outcome when this returns. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  /** What was asked from that moment on. */
  since(moment: number): Outcome[] {
    return this.outcomes.filter(({ startedAt }) => startedAt >= moment);
  }

  /** Waits until so many requests, asked from that moment on, were answered with that status. */
  async seen(status: number, count: number, moment = 0): Promise<void> {
    const matches = () => this.since(moment).filter((outcome) => outcome.status === status).length;
    await until(`${count} answers with status ${status}`, () => matches() >= count);
  }

  /** Waits until as many requests in a row, asked from that moment on, were served. */
  async served(count: number, moment: number): Promise<void> {
    const isServed = () => {
      const newest = this.since(moment).slice(-count);
      return newest.length === count && newest.every(({ status }) => status === 200);
    };
    await until(`${count} are served in a row`, isServed);
  }

  private async runClient(number: number): Promise<void> {
    const { serviceUrl, paths, headers = {}, pauseMs = 10 } = this.options;
    for (let turn = number; !this.isOver; turn++) {
      const path = paths[turn % paths.length] ?? '/';
      const outcome = await ask(serviceUrl, { path, headers, agent: this.agent });
      // The body of a success is not looked at again, and there are many.
      this.outcomes.push(outcome.status === 200 ? { ...outcome, body: '' } : outcome);
      // A polite good-bye: the client would go to another instance now.
      if (outcome.headers.connection === 'close') return;
      await sleep(pauseMs);
    }
  }
}
