// A gateway: takes readings from devices, a line of JSON each on stdin, and sends them on. While the service is out of reach they wait in
// a file, also through a crash or a power cut; sending a reading twice does no harm.
//
//   some-devices | TANKS_URL=http://127.0.0.1:3000 TANKS_KEY=… node examples/buffering-gateway.js waiting.ndjson
import { appendFileSync, createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReadingsRefusedError, TankMonitoring } from 'tank-monitoring-client';

const { TANKS_URL = 'http://127.0.0.1:3000', TANKS_KEY = '' } = process.env;
const [waiting = 'waiting.ndjson'] = process.argv.slice(2);
const sending = `${waiting}.sending`;
const refused = `${waiting}.refused`;
const EVERY_MS = 1_000;

const tms = new TankMonitoring({ url: TANKS_URL, key: TANKS_KEY });
let isOpen = true;
if (existsSync(waiting)) appendFileSync(waiting, '\n'); // a power cut may have left half a line: it stays alone

await Promise.all([collect(), deliver()]);

async function collect() {
  for await (const line of createInterface({ input: process.stdin })) {
    // At once, so that nothing comes between this and the renaming below.
    if (isJson(line)) appendFileSync(waiting, `${line}\n`, { flush: true });
    else if (line !== '') console.error(`Not JSON, left out: ${line}`);
  }
  isOpen = false;
}

/** Until there is nothing to send, and nothing more can come. */
async function deliver() {
  for (;;) {
    // What a crash left in the one file goes first; what comes meanwhile collects in the other.
    if (!existsSync(sending) && existsSync(waiting)) renameSync(waiting, sending);
    if (existsSync(sending)) await sendAll();
    else if (!isOpen) return;
    if (!existsSync(waiting) || existsSync(sending)) await sleep(EVERY_MS);
  }
}

async function sendAll() {
  try {
    const { created } = await tms.telemetry.send(readings(), { maxRetries: 0 });
    console.log(`Sent; ${created} are new.`);
  } catch (error) {
    if (!(error instanceof ReadingsRefusedError)) {
      console.error(`They wait: ${error.message}`);
      return;
    }
    // No use to send these again: a person has to look at them.
    for (const one of error.errors) appendFileSync(refused, `${JSON.stringify(one)}\n`);
    console.error(error.message);
  }
  rmSync(sending);
}

async function* readings() {
  const input = createReadStream(sending);
  try {
    for await (const line of createInterface({ input })) if (isJson(line)) yield JSON.parse(line);
  } finally {
    input.destroy(); // also when sending fails before its end
  }
}

/** @param {string} line */
function isJson(line) {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
