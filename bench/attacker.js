// One caller that wants too much, as a process of its own: so that what it costs to ask is not taken for what it costs to be asked.
// A request under way on each connection, over and over, or so many a second, whether they are answered or not, until the time is up; then
// all are left.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_AFTER_LOSS_MS = 50;

process.on('message', (job) => void attack(job).then((answers) => process.send(answers)));
process.on('disconnect', () => process.exit());

/** @returns how often each status was answered; "lost" without an answer, "open" when the time was up */
async function attack({ port, key, method, path, headers, bodies, connections, perSecond, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers = {};
  let sent = 0;
  const time = new AbortController();

  const ask = () =>
    new Promise((resolve) => {
      let status;
      const asked = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { 'X-API-Key': key, ...headers } },
        (response) => {
          response.resume();
          response.on('error', () => undefined);
          response.once('end', () => (status = response.statusCode));
        },
      );
      asked.on('error', () => undefined);
      asked.once('close', () => resolve(status ?? (time.signal.aborted ? 'open' : 'lost')));
      asked.end(bodies === undefined ? undefined : bodies[sent++ % bodies.length]);
    });
  const count = async () => {
    const answer = await ask();
    answers[answer] = (answers[answer] ?? 0) + 1;
    return answer;
  };
  const keepAsking = async () => {
    while (!time.signal.aborted) {
      if ((await count()) === 'lost') await sleep(PAUSE_AFTER_LOSS_MS);
    }
  };

  const asking =
    perSecond === undefined
      ? Array.from({ length: connections }, keepAsking)
      : Array.from({ length: seconds * perSecond }, (_, n) =>
          sleep((n * 1000) / perSecond).then(() => !time.signal.aborted && count()),
        );
  await sleep(seconds * 1000);
  time.abort();
  agent.destroy();
  await Promise.all(asking);
  return answers;
}
