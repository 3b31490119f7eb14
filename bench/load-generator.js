// The load generator, a process of its own: each connection has one request under way and asks the next path as soon as the
// answer to the last is complete. It speaks just enough HTTP/1.1 to cost the second core as little as it can, and looks
// at every answer: the status always, the whole body wherever the right one is known.
import { connect } from 'node:net';

const BLANK_LINE = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
/** Requests under way when the time is up are waited for this long. */
const GRACE_MS = 60_000;

process.on('message', (job) => {
  const work = job.kind === 'load' ? load(job) : ask(job);
  work.then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());

/** One connection. `exchange` calls back with the status and the body, which is only valid during the call. */
class Connection {
  #memory = Buffer.allocUnsafe(64 * 1024);
  #filled = 0;
  #bodyStart = 0;
  #end = 0;
  #status = 0;
  #answered;
  #failed;

  static open(port) {
    return new Promise((resolve, reject) => {
      const connection = new Connection();
      connection.socket = connect({
        host: '127.0.0.1',
        port,
        noDelay: true,
        onread: { buffer: () => connection.#room(), callback: (length) => connection.#read(length) },
      });
      connection.#failed = reject;
      connection.socket.once('connect', () => resolve(connection));
      connection.socket.on('error', (error) => connection.#failed(error));
      connection.socket.on('close', () => connection.#failed(new Error('The server closed the connection.')));
    });
  }

  exchange(request, answered, failed) {
    this.#answered = answered;
    this.#failed = failed;
    this.socket.write(request, 'latin1');
  }

  close() {
    this.#failed = () => undefined;
    this.socket.destroy();
  }

  #room() {
    if (this.#filled === this.#memory.length) {
      const larger = Buffer.allocUnsafe(this.#memory.length * 2);
      this.#memory.copy(larger);
      this.#memory = larger;
    }
    return this.#memory.subarray(this.#filled);
  }

  #read(length) {
    this.#filled += length;
    if (this.#end === 0 && !this.#readHead()) return true;
    if (this.#filled < this.#end) return true;
    const body = this.#memory.subarray(this.#bodyStart, this.#end);
    this.#filled = 0;
    this.#end = 0;
    this.#answered(this.#status, body);
    return true;
  }

  #readHead() {
    const headEnd = this.#memory.subarray(0, this.#filled).indexOf(BLANK_LINE);
    if (headEnd === -1) return false;
    const head = this.#memory.latin1Slice(0, headEnd);
    const length = CONTENT_LENGTH.exec(head);
    if (length === null) {
      this.#failed(new Error(`An answer without Content-Length: ${head.slice(0, 200)}`));
      this.close();
      return false;
    }
    this.#status = Number(head.slice(9, 12));
    this.#bodyStart = headEnd + BLANK_LINE.length;
    this.#end = this.#bodyStart + Number(length[1]);
    return true;
  }
}

const requestFor = (path, key, accept) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nX-API-Key: ${key}\r\n\r\n`;

/** Asks each path once, one after the other, and returns statuses, bodies and the time each took. */
async function ask({ port, key, paths, accept }) {
  const connection = await Connection.open(port);
  const answers = [];
  for (const path of paths) {
    answers.push(
      await new Promise((resolve, reject) => {
        const started = performance.now();
        connection.exchange(
          requestFor(path, key, accept),
          (status, body) =>
            resolve({ status, body: Buffer.from(body), milliseconds: performance.now() - started }),
          reject,
        );
      }),
    );
  }
  connection.close();
  return answers;
}

/** `expected[i]` is the right body for `paths[i]`, or undefined where it is not known. */
async function load({ port, key, paths, accept, expected, connections, seconds }) {
  const requests = paths.map((path) => requestFor(path, key, accept));
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const latencies = [];
  const wrong = [];
  let wrongCount = 0;
  let next = 0;
  let finished = 0;
  const started = performance.now();
  let last = started;
  const deadline = started + seconds * 1000;

  const note = (path, problem) => {
    wrongCount++;
    if (wrong.length < 3) wrong.push(`${path}: ${problem}`);
  };

  const drive = (connection) =>
    new Promise((resolve) => {
      const step = () => {
        const index = next++ % requests.length;
        const sent = performance.now();
        connection.exchange(
          requests[index],
          (status, body) => {
            last = performance.now();
            latencies.push(last - sent);
            const right = expected[index];
            if (status !== 200) note(paths[index], `${status} ${body.toString('utf8', 0, 200)}`);
            else if (right === undefined ? body.length < 2 : !right.equals(body))
              note(paths[index], `another body than before: ${body.toString('utf8', 0, 200)}`);
            if (last < deadline) return step();
            connection.close(); // the server would close it soon, while slower answers are awaited
            resolve();
          },
          (error) => {
            note(paths[index], error.message);
            resolve();
          },
        );
      };
      step();
    }).then(() => finished++);

  let timer;
  const grace = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000 + GRACE_MS);
  });
  await Promise.race([Promise.all(opened.map(drive)), grace]);
  clearTimeout(timer);
  const unfinished = connections - finished;
  for (const connection of opened) connection.close();

  latencies.sort((a, b) => a - b);
  const at = (share) =>
    latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? null;
  const isCut = unfinished > 0 || latencies.length === 0;
  const elapsed = ((isCut ? performance.now() : last) - started) / 1000;
  return {
    requests: latencies.length,
    seconds: elapsed,
    rate: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    unfinished,
    wrongCount,
    wrong,
  };
}
