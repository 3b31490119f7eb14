// A client that speaks to the service byte by byte: it sends what no HTTP client would, reads when it is told to, and keeps
// everything that came.
import { connect, type Socket } from 'node:net';
import { stage } from './stage.js';
import { until } from './until.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WireOptions {
  /** From the start; a client that does not read keeps the service waiting. */
  readonly isReading?: boolean;
  /** Keeps its own half open when the service has closed the other. */
  readonly staysOpen?: boolean;
}

export class Wire {
  readonly socket: Socket;
  error: string | undefined;
  /** The service has said that nothing more comes. */
  hasEnded = false;
  isClosed = false;
  /** It was connected once, and may be closed again by now. */
  wasConnected = false;
  /** The whole answers that have come so far. */
  readonly answers: Answer[] = [];
  /** What came behind the last of them. */
  rest = '';

  constructor(
    serviceUrl: string,
    bytes: string | Buffer,
    { isReading = true, staysOpen = false }: WireOptions = {},
  ) {
    const { hostname, port } = new URL(serviceUrl);
    this.socket = connect({ port: Number(port), host: hostname, allowHalfOpen: staysOpen });
    this.socket.on('error', (error: Error & { code?: string }) => (this.error = error.code ?? error.message));
    this.socket.on('connect', () => (this.wasConnected = true));
    this.socket.on('end', () => (this.hasEnded = true));
    this.socket.on('close', () => (this.isClosed = true));
    if (isReading) this.socket.on('data', (chunk) => this.keep(chunk));
    if (bytes.length > 0) this.socket.write(bytes);
    stage.add(this);
  }

  /** Takes at most so many bytes of what has arrived, for a client that reads slowly. */
  take(bytes: number): number {
    const chunk = this.socket.read(Math.min(bytes, this.socket.readableLength)) as Buffer | null;
    if (chunk !== null) this.keep(chunk);
    return chunk?.length ?? 0;
  }

  get statuses(): number[] {
    return this.answers.map(({ status }) => status);
  }

  async answered(count: number, deadlineMs?: number): Promise<Answer[]> {
    await until(`${count} answers`, () => this.answers.length >= count || this.isClosed, deadlineMs);
    return this.answers;
  }

  async ended(deadlineMs?: number): Promise<Answer[]> {
    await until('the service closes the connection', () => this.hasEnded || this.isClosed, deadlineMs);
    return this.answers;
  }

  /** As a client that crashes: no farewell, a TCP reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  stop(): void {
    this.socket.destroy();
  }

  private keep(chunk: Buffer): void {
    const { answers, rest } = parseAnswers(this.rest + chunk.toString('latin1'));
    this.answers.push(...answers);
    this.rest = rest;
  }
}

function parseAnswers(text: string): { answers: Answer[]; rest: string } {
  const answers: Answer[] = [];
  let start = 0;
  for (;;) {
    const end = text.indexOf('\r\n\r\n', start);
    if (end === -1) break;
    const [statusLine = '', ...lines] = text.slice(start, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    if (bodyEnd > text.length) break;
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    answers.push({ status, headers, body: text.slice(end + 4, bodyEnd) });
    start = bodyEnd;
  }
  return { answers, rest: text.slice(start) };
}
