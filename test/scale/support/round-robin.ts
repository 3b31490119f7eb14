// A client of several instances, as a simple load balancer is one: each request goes to the next of them, and one that is gone,
// or goes while it is asked, is left out from then on and the request sent again elsewhere.
import { Agent } from 'node:http';
import { ask, type Outcome, type Question } from '../../faults/support/requests.js';

export class RoundRobin {
  /** What the client had to do again, and why. */
  readonly retried: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly gone = new Set<string>();
  private turn = 0;

  constructor(private readonly urls: readonly string[]) {}

  async ask(question: Question): Promise<Outcome> {
    for (;;) {
      const url = this.next();
      const outcome = await ask(url, { ...question, agent: this.agent });
      if (outcome.error === undefined) return outcome;
      this.retried.push(outcome.error);
      this.gone.add(url);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private next(): string {
    const there = this.urls.filter((url) => !this.gone.has(url));
    const url = there[this.turn++ % there.length];
    if (url === undefined) throw new Error('No instance is left.');
    return url;
  }
}
