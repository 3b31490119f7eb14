// Runs a property so many times, or as often as there is time for: a busy machine tries fewer cases, which is no failure. A failure tells
// its seed and the smallest counterexample that was found in time; without a limit, making it smaller could outlast the test.
import { fc } from './cases.js';

const TIME_LIMIT_MS = 25_000;
/** For the test around it. */
export const PROPERTY_TIMEOUT_MS = 600_000;

export async function holds<Values>(
  property: fc.IAsyncProperty<Values>,
  runs: number,
  more: fc.Parameters<Values> = {},
): Promise<true> {
  // A case that is interrupted goes on: it ends before its database is taken away.
  let going: Promise<unknown> = Promise.resolve();
  const run = property.run.bind(property);
  property.run = (...parameters) => {
    const one = run(...parameters);
    going = one;
    return one;
  };
  try {
    await fc.assert(property, { ...more, numRuns: runs, interruptAfterTimeLimit: TIME_LIMIT_MS });
  } finally {
    await going;
  }
  return true;
}
