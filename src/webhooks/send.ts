// One delivery over HTTP: a bounded time, a bounded answer, no redirects, only allowed addresses. Whatever the receiver does, it
// settles: a delivery that never did would keep its place for ever.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { printable } from '../common/problems/printable.js';
import { VERSION } from '../platform/config/project.js';
import { checkUrl, guardedLookup, type AddressRules } from './addresses.js';
import { parseRetryAfter } from './delivery-policy.js';
import type { PingResponse } from './dto/ping.response.js';
import { createResolver } from './names.js';
import { createHmac, randomUUID } from 'node:crypto';
import { secretBytes } from './secrets.js';

const TIMEOUT_MS = 15_000;

/** Nobody reads the answer; it is taken so that the connection can be used again, unless it is longer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** "100 Continue" and other 1xx, of which a normal receiver sends one or two. */
const MAX_INTERIM_ANSWERS = 10;

/** It may quote the receiver. */
const MAX_REASON_LENGTH = 500;

export interface Outcome {
  readonly delivered: boolean;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** For the operator, when it was not delivered. Holds nothing of the body or the secret. */
  readonly reason: string | null;
  /** How long the receiver asked to wait. */
  readonly retryAfterMs: number;
}

export class Sender {
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 16 }),
    'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 16 }),
  };

  private readonly lookup: LookupFunction;

  constructor(
    private readonly options: AddressRules & { nameServers?: readonly string[]; timeoutMs?: number },
  ) {
    this.lookup = guardedLookup(options, createResolver(options.nameServers));
  }

  /** Never throws: a failure is an outcome. */
  async send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome> {
    try {
      return readOutcome(await this.post(checkUrl(url, this.options), headers, body));
    } catch (error) {
      const reason = printable(explainError(error)).slice(0, MAX_REASON_LENGTH);
      return { delivered: false, status: null, reason, retryAfterMs: 0 };
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:';
    const request = (isTls ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: this.agents[isTls ? 'https:' : 'http:'],
      lookup: this.lookup,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': `tank-monitoring/${VERSION}`,
        ...headers,
      },
    });
    const answer = answerTo(request, this.options.timeoutMs ?? TIMEOUT_MS);
    request.end(body);
    return answer;
  }
}

/** Settles by the deadline, whatever events the request has: some endings have none of their own. */
function answerTo(request: ClientRequest, timeoutMs: number): Promise<IncomingMessage> {
  let deadline: NodeJS.Timeout | undefined;
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    const giveUp = (reason: string): void => {
      reject(new Error(reason));
      request.destroy();
    };
    deadline = setTimeout(giveUp, timeoutMs, `no answer within ${timeoutMs / 1000} s`);
    request.on('error', reject);
    request.on('close', () => reject(new Error('the connection was closed without an answer')));
    request.on('response', (answer) => takeWhole(answer, () => resolve(answer), reject));
    request.on('upgrade', (answer, socket) => {
      resolve(answer); // 101 is no success
      socket.destroy();
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM_ANSWERS) giveUp('it sent too many 1xx answers');
    });
  });
  return answered.finally(() => clearTimeout(deadline));
}

/** Until the answer has ended, or is too long. */
function takeWhole(answer: IncomingMessage, taken: () => void, failed: (reason: Error) => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_ANSWER_BYTES) return;
    taken();
    answer.destroy();
  });
  answer.on('end', taken);
  answer.on('error', failed);
  answer.on('close', () => failed(new Error('the answer was cut off')));
}

function readOutcome({ statusCode = 0, headers }: IncomingMessage): Outcome {
  const delivered = statusCode >= 200 && statusCode < 300;
  const redirect = statusCode >= 300 && statusCode < 400 ? ' (redirects are not followed)' : '';
  return {
    delivered,
    status: statusCode,
    reason: delivered ? null : `answered ${statusCode}${redirect}`,
    retryAfterMs: parseRetryAfter(headers['retry-after']),
  };
}

/** Plain words for what Node calls by a code and an address. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the receiver',
  EPIPE: 'the connection was closed by the receiver',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
};

/** Otherwise Node's words, or its code where it has none; of several attempts on one name the first. */
function explainError(error: unknown): string {
  if (error instanceof AggregateError) return explainError(error.errors[0]);
  if (typeof error !== 'object' || error === null) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const words = WORDS[code];
  if (words !== undefined) return words;
  return ('message' in error && String(error.message)) || code || 'it failed';
}

/** As https://www.standardwebhooks.com describes them. While a secret is being rolled, both sign. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  at: Date = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** An event without data that is not stored, sent at once: shows whether a webhook works. */
export async function sendPing(sender: Sender, url: string, secrets: readonly string[]): Promise<Outcome> {
  if (secrets.length === 0) {
    const reason = 'WEBHOOK_SECRET_KEY does not open the secret of this webhook; rolling it makes a new one';
    return { delivered: false, status: null, reason, retryAfterMs: 0 };
  }
  const id = randomUUID();
  const created_at = new Date().toISOString();
  const nothing = { tank_id: null, owner_id: null, data: {} };
  const ping: PingResponse = { id, object: 'event', type: 'ping', created_at, ...nothing };
  const body = JSON.stringify(ping);
  try {
    return await sender.send(url, signedHeaders(id, body, secrets), body);
  } finally {
    sender.close();
  }
}
