// A notifier: says when a tank runs low, once for each time, also for what happened while it was not running. It prints, or posts to the
// address in NOTIFY_URL, as chats take it.
//
//   TANKS_URL=http://127.0.0.1:3000 TANKS_KEY=… node examples/low-fill-notifier.js notifier.cursor
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ProblemError, TankMonitoring } from 'tank-monitoring-client';

const { TANKS_URL = 'http://127.0.0.1:3000', TANKS_KEY = '', NOTIFY_URL } = process.env;
const [cursorFile = 'notifier.cursor'] = process.argv.slice(2);

const tms = new TankMonitoring({ url: TANKS_URL, key: TANKS_KEY });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

/** At the first start: from now on. */
let after = readCursor() ?? 'latest';
while (!stop.signal.aborted) {
  try {
    for await (const page of tms.changes.follow({ after, types: ['event'], signal: stop.signal })) {
      for (const { data: event } of page.data) if (event.type === 'tank.low') await notify(event);
      after = page.next;
      keepCursor(after); // only now: what is not notified yet comes again after a crash
    }
  } catch (error) {
    if (stop.signal.aborted) break;
    if (!(error instanceof ProblemError && error.status === 410)) throw error;
    console.error('This was not running for too long: some events may be missing.');
    after = 'latest';
  }
}

/** @param {import('tank-monitoring-client').TankEvent} event */
async function notify({ data: { tank, owner, reading, location } }) {
  const place = [location.city, location.country].filter(Boolean).join(', ');
  const text = `${tank.name} (${owner.name ?? 'no owner'}${place && `, ${place}`}) is at ${reading.fill_percentage} %.`;
  if (NOTIFY_URL === undefined) return console.log(text);
  const response = await fetch(NOTIFY_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]),
  });
  if (!response.ok) throw new Error(`${NOTIFY_URL} answered ${response.status}.`);
}

function readCursor() {
  try {
    return readFileSync(cursorFile, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} cursor */
function keepCursor(cursor) {
  writeFileSync(`${cursorFile}.new`, cursor);
  renameSync(`${cursorFile}.new`, cursorFile);
}
