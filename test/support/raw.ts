// One request written to a socket byte by byte, for what no HTTP client would send.
import { connect } from 'node:net';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { SeenResponse } from './openapi.js';

const PATIENCE_MS = 100_000;

/** Sends the bytes as they are and reads one response; an answer that never comes is an error. */
function exchange(serviceUrl: string, bytes: string | Buffer, isHead: boolean): Promise<Buffer> {
  const { hostname, port } = new URL(serviceUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = Buffer.alloc(0);
    const finish = () => {
      resolve(received);
      socket.destroy();
    };
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('The service did not answer.')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isComplete(received, isHead)) finish();
    });
    // A server that refuses a request early may close while we are still writing.
    socket.on('error', (error) => (received.length > 0 ? finish() : reject(error)));
    socket.on('end', finish);
  });
}

/** The connection may stay open when a request has lost its `Connection: close`. */
function isComplete(received: Buffer, isHead: boolean): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = received.subarray(0, end).toString();
  if (head.startsWith('HTTP/1.1 1')) return isComplete(received.subarray(end + 4), isHead);
  if (isHead || /^HTTP\/1\.1 (204|304)/.test(head)) return true;
  if (/^transfer-encoding: *chunked$/im.test(head))
    return received.toString('latin1').endsWith('\r\n0\r\n\r\n');
  const length = /^content-length: *(\d+)$/im.exec(head)?.[1];
  return length !== undefined && received.length >= end + 4 + Number(length);
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /** A body in pieces, of a length not told before. */
  readonly chunks?: readonly string[];
}

/** One well-framed request with nothing escaped or normalized, and its answer. */
export function sendRaw(serviceUrl: string, request: RawRequest): Promise<SeenResponse> {
  const { method = 'GET', path, headers = [], body, chunks } = request;
  const framing: [string, string][] = [
    ['Host', 'tanks.example.com'],
    ['Connection', 'close'],
  ];
  if (body !== undefined) framing.push(['Content-Length', String(Buffer.byteLength(body))]);
  if (chunks !== undefined) framing.push(['Transfer-Encoding', 'chunked']);
  const head = [...framing, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendBytes(serviceUrl, `${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? chunked(chunks)}`);
}

function chunked(chunks: readonly string[] | undefined): string {
  if (chunks === undefined) return '';
  return [...chunks, ''].map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');
}

export async function sendBytes(serviceUrl: string, bytes: string | Buffer): Promise<SeenResponse> {
  const [method = '', path = ''] = bytes.toString().split(/[ \r\n]/, 2);
  return { method, path, ...parseAnswer(await exchange(serviceUrl, bytes, method === 'HEAD')) };
}

/** The last response in the bytes: one for `Expect: 100-continue` may come before it. */
function parseAnswer(answer: Buffer): Pick<SeenResponse, 'status' | 'headers' | 'text'> {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.subarray(0, Math.max(end, 0)).toString().split('\r\n');
  const rest = answer.subarray(end + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (end === -1 || Number.isNaN(status))
    throw new Error(`Not an HTTP response: ${answer.subarray(0, 200).toString()}`);
  if (status < 200) return parseAnswer(rest);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status, headers, text: decoded(rest, headers).toString() };
}

/** A request that says by chance that it takes them may get chunks, and a compressed answer in them. */
function decoded(body: Buffer, headers: Readonly<Record<string, string>>): Buffer {
  const whole = headers['transfer-encoding'] === 'chunked' ? joined(body) : body;
  const encoding = headers['content-encoding'];
  if (encoding === undefined || whole.length === 0) return whole; // a HEAD has no body
  return encoding === 'br' ? brotliDecompressSync(whole) : unzipSync(whole);
}

function joined(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    const length = lineEnd === -1 ? 0 : parseInt(body.subarray(at, lineEnd).toString(), 16);
    if (!(length > 0)) return Buffer.concat(chunks);
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
