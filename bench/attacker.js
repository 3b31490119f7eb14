// One caller that wants too much, as a process of its own: so that what it costs to ask is not taken for what it costs to be asked.
// A request under way on each connection, over and over, or so many a second, whether they are answered or not, until the time is up; then
// all are left.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_AFTER_LOSS_MS = 50;

process.on(
  'message',
  (job) => void (job.isPipelined ? pipeline(job) : attack(job)).then((answers) => process.send(answers)),
);
process.on('disconnect', () => process.exit());

/** @returns how often each status was answered; "lost" without an answer, "open" when the time was up */
async function attack({ port, key, isGuessing, method, path, headers, bodies, ...job }) {
  const { connections, perSecond, seconds } = job;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers = {};
  let sent = 0;
  const time = new AbortController();

  const keyHeader = () => {
    const shown = isGuessing ? `tms_${random(6)}.${random(32)}` : key;
    return shown === undefined ? {} : { 'X-API-Key': shown };
  };
  const ask = () =>
    new Promise((resolve) => {
      let status;
      const asked = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { ...keyHeader(), ...headers } },
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

const random = (bytes) => randomBytes(bytes).toString('base64url');

/** Asks on, a hundred times at once, whenever the system takes more, and reads no answer. */
async function pipeline({ port, method, path, headers, connections, seconds }) {
  const lines = Object.entries({ Host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const text = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n').repeat(100);
  const answers = {};
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    const ask = () => socket.write(text);
    socket
      .on('error', () => undefined)
      .on('connect', ask)
      .on('drain', ask);
    socket.on('close', () => (answers.closed = (answers.closed ?? 0) + 1));
    return socket;
  });
  await sleep(seconds * 1000);
  answers.open = sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  return answers;
}
