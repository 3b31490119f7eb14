// A small crowd of clients that ask one question after the other, over connections they keep, until told to stop.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Outcome } from './requests.js';
import { stage } from './stage.js';
import { until } from './until.js';

/** As a fleet has them. */
interface Questions {
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export class Load {
  readonly outcomes: Outcome[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[];
  private isOver = false;

  /** They pause between an answer and their next question, so that clients, service and PostgreSQL share two cores fairly. */
  constructor(
    private readonly service: { readonly url: string },
    private readonly questions: Questions,
    clients = 20,
    private readonly pauseMs = 10,
  ) {
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
    const { paths, headers = {} } = this.questions;
    for (let turn = number; !this.isOver; turn++) {
      const path = paths[turn % paths.length] ?? '/';
      const outcome = await ask(this.service.url, { path, headers, agent: this.agent });
      // The body of a success is not looked at again, and there are many.
      this.outcomes.push(outcome.status === 200 ? { ...outcome, body: '' } : outcome);
      // A polite good-bye: the client would go to another instance now.
      if (outcome.headers.connection === 'close') return;
      await sleep(this.pauseMs);
    }
  }
}
