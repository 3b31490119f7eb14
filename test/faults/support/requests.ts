// Requests whose every outcome is kept: what came, when, or what went wrong. They never throw and never hang.
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';

export interface Question {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly giveUpMs?: number;
  /** Undefined: a connection of its own. */
  readonly agent?: Agent;
}

export interface Outcome {
  readonly path: string;
  /** By performance.now(). */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** Undefined when there was no complete answer; `error` then says why. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly error: string | undefined;
}

/** Well beyond the bound of the service: what takes longer hangs. */
export const GIVE_UP_MS = 150_000;

export function ask(serviceUrl: string, question: Question): Promise<Outcome> {
  const { path, method = 'GET', headers = {}, agent = false, body, giveUpMs = GIVE_UP_MS } = question;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const settle = (outcome: Partial<Outcome>) => {
      clearTimeout(giveUp);
      const milliseconds = performance.now() - startedAt;
      const nothing = { status: undefined, headers: {}, body: '', error: undefined };
      resolve({ path, startedAt, milliseconds, ...nothing, ...outcome });
    };
    // Node gives the length of a body by itself, but for a DELETE.
    const length =
      body === undefined || method !== 'DELETE' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const framed = { ...headers, ...length };
    const sent = request(new URL(path, serviceUrl), { method, headers: framed, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => settle({ error: describe(error) }));
      response.on('end', () =>
        settle({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    const giveUp = setTimeout(() => sent.destroy(new Error('no answer at all')), giveUpMs);
    sent.on('error', (error) => settle({ error: describe(error) }));
    sent.end(body);
  });
}

/** The metrics of who has them on that port. */
export async function metricsAt(port: number): Promise<string> {
  return (await ask(`http://127.0.0.1:${port}`, { path: '/metrics' })).body;
}

function describe(error: Error & { code?: string }): string {
  return error.code ?? error.message;
}
