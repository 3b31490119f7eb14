// Devices that send readings, a process of its own: each connection has one request under way, of one reading or of many or of one uplink,
// for the next tanks in turn, and counts what was not answered with a 200. With a pace it sends that many requests a second, else as
// many as it can. Or ("patched") those who change the tanks, one a request.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readingOf, uplinkOf } from './readings.js';

let stopped = false;

process.on('message', (job) => {
  if (job === 'stop') {
    stopped = true;
    return;
  }
  send(job).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());

async function send({
  port,
  key,
  tanks,
  devices,
  entries,
  readings,
  connections,
  seconds,
  pace,
  from,
  fill,
  most,
  patched,
}) {
  stopped = false;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies = [];
  let failed = 0;
  let next = 0;
  const started = performance.now();
  const isOver = () =>
    stopped || next >= (most ?? Infinity) || performance.now() - started >= (seconds ?? Infinity) * 1000;

  const drive = async () => {
    while (!isOver()) {
      const turn = next++;
      if (pace !== undefined) {
        const wait = (turn / pace) * 1000 - (performance.now() - started);
        if (wait > 1) await sleep(wait);
      }
      const sent = performance.now();
      const what = patched
        ? {
            method: 'PATCH',
            path: `/v1/tanks/${tanks[turn % tanks.length]}`,
            body: `{"name":"${from} ${turn}"}`,
          }
        : {
            method: 'POST',
            path: devices === undefined ? '/v1/telemetry' : '/v1/uplinks/chirpstack?event=up',
            body: bodyOf(turn, { tanks, devices, entries, readings, from, fill }),
          };
      const status = await ask(agent, port, key, what);
      if (status === 200) latencies.push(performance.now() - sent);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, drive));
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    rate: latencies.length / elapsed,
    requests: latencies.length,
    failed,
    p50: latencies[Math.floor(latencies.length / 2)] ?? null,
  };
}

function bodyOf(turn, { tanks, devices, entries, readings, from, fill }) {
  if (devices !== undefined) return JSON.stringify(uplinkOf(turn, devices, from, entries));
  const body = { readings: [] };
  for (let n = turn * readings; n < (turn + 1) * readings; n++)
    body.readings.push(readingOf(n, tanks, from, fill));
  return JSON.stringify(body);
}

function ask(agent, port, key, { method, path, body }) {
  return new Promise((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-API-Key': key,
    };
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers });
    sent.once('error', () => resolve(undefined));
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(undefined));
    });
    sent.end(body);
  });
}
