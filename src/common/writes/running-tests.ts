// Tests of what is elsewhere, such as a receiver or a mail server: each may wait for long, so only so many run at once.
import { unavailable, type Problem } from '../problems/problem.js';
import type { Writer } from './recorded-writes.js';

const MOST = { ofKey: 2, ofCustomer: 4 };

export class RunningTests {
  private readonly running = new Set<Writer>();

  constructor(private readonly mostOfAll: number) {}

  /** Refused where as many run: of the key, of the customer it is bound to, or of all. */
  async run<T>(writer: Writer, test: () => Promise<T>): Promise<T> {
    this.requireRoom(writer);
    this.running.add(writer);
    try {
      return await test();
    } finally {
      this.running.delete(writer);
    }
  }

  private requireRoom({ id, customerId }: Writer): void {
    const running = [...this.running];
    const ofKey = running.filter((other) => other.id === id);
    const ofCustomer = running.filter((other) => customerId !== null && other.customerId === customerId);
    const isFull =
      ofKey.length >= MOST.ofKey || ofCustomer.length >= MOST.ofCustomer || running.length >= this.mostOfAll;
    if (isFull) throw tooManyTests(this.mostOfAll);
  }
}

function tooManyTests(mostOfAll: number): Problem {
  const { ofKey, ofCustomer } = MOST;
  const detail = `At most ${ofKey} tests of a key, ${ofCustomer} of a customer and ${mostOfAll} in all run at once. Try again when one has ended.`;
  return unavailable('overloaded', detail);
}
