// Thousands of requests at once, each on a connection of its own. Written to bare sockets, which costs this process far
// less than an HTTP client would: on a small machine the crowd must not starve the service it asks.
import { connect } from 'node:net';
import type { Outcome, Question } from './requests.js';

const GIVE_UP_MS = 150_000;

export function askAtOnce(serviceUrl: string, questions: readonly Question[]): Promise<Outcome[]> {
  return Promise.all(questions.map((question) => askBriefly(serviceUrl, question)));
}

function askBriefly(serviceUrl: string, { path, headers = {} }: Question): Promise<Outcome> {
  const { hostname, port } = new URL(serviceUrl);
  const head = Object.entries({ Host: hostname, ...headers, Connection: 'close' });
  const lines = [`GET ${path} HTTP/1.1`, ...head.map(([name, value]) => `${name}: ${value}`), '', ''];
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let error: string | undefined;
    const socket = connect(Number(port), hostname);
    socket.write(lines.join('\r\n'));
    socket.setTimeout(GIVE_UP_MS, () => socket.destroy(new Error('no answer at all')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (cause: Error & { code?: string }) => (error = cause.code ?? cause.message));
    socket.on('close', () => {
      const milliseconds = performance.now() - startedAt;
      const nothing = { status: undefined, headers: {}, body: '' };
      const answer = error === undefined ? parse(Buffer.concat(chunks)) : nothing;
      resolve({ path, startedAt, milliseconds, error, ...answer });
    });
  });
}

/** An answer that was cut short has no status. */
function parse(answer: Buffer): Pick<Outcome, 'status' | 'headers' | 'body'> {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = answer.subarray(end + 4);
  const isComplete = end !== -1 && body.length === Number(headers['content-length']);
  const status = isComplete ? Number(statusLine.split(' ')[1]) : undefined;
  return { status, headers, body: body.toString() };
}
