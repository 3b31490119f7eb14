// A mail server: it speaks real SMTP, keeps what it takes, and refuses, hangs or dies at every step as it is told.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailConfig } from '../../src/notices/notice-worker.js';

export interface ReceivedMail {
  readonly to: string;
  /** Names in lower case, folded lines joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

/** Mail as the background work sends it to this server. */
export function mailTo({ port }: MailServer, name = ''): MailConfig['mail'] {
  const login = { user: 'tanks', pass: 's3cret-word' };
  const server = { host: '127.0.0.1', port, isSecure: false, requiresTls: false, login };
  return { server, from: { name, address: 'tanks@example.com' }, folder: undefined };
}

type Step = 'connect' | 'login' | 'mail' | 'rcpt' | 'data';
/** Undefined: it is taken. A text such as `550 5.1.1 unknown` is the answer; `hang` and `die` (with all connections) are none. */
export type Answer = string | undefined;

export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** What was asked: `rcpt bob@example.com`. */
  readonly steps: string[] = [];
  /** A promise holds the sender until it is kept. */
  answer: (step: Step, address: string) => Answer | Promise<Answer> = () => undefined;
  private readonly server: SMTPServer;
  private readonly sockets = new Set<Socket>();

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      socketTimeout: 600_000,
      onConnect: (session, done) => void this.decide('connect', session.remoteAddress, done),
      onAuth: (auth, _, done) =>
        void this.decide('login', auth.username ?? '', (error) =>
          error ? done(error) : done(null, { user: auth.username }),
        ),
      onMailFrom: (address, _, done) => void this.decide('mail', address.address, done),
      onRcptTo: (address, _, done) => void this.decide('rcpt', address.address, done),
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const to = session.envelope.rcptTo[0]?.address ?? '';
          void this.decide('data', to, (error) => {
            if (error) return done(error);
            const raw = Buffer.concat(parts).toString('latin1');
            this.mails.push({ to, ...parsed(raw), isEncrypted: session.secure, user: session.user });
            return done(null, 'queued');
          });
        });
      },
      ...options,
    });
    this.server.on('error', () => undefined);
    const connected = options.secure === true ? 'secureConnection' : 'connection';
    this.server.server.on(connected, (socket: Socket) => this.sockets.add(socket));
  }

  static async start(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
    const mailServer = new MailServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      ...options,
    });
    mailServer.server.listen(port, '127.0.0.1');
    await once(mailServer.server.server, 'listening');
    return mailServer;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  async stop(): Promise<void> {
    this.cutOff();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private cutOff(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  private async decide(step: Step, address: string, done: (error?: Error | null) => void): Promise<void> {
    this.steps.push(`${step} ${address}`);
    const answer = await this.answer(step, address);
    if (answer === 'hang') return;
    if (answer === 'die') return this.cutOff();
    const [, code, text = ''] = /^(\d{3}) (.*)$/.exec(answer ?? '') ?? [];
    done(code === undefined ? null : Object.assign(new Error(text), { responseCode: Number(code) }));
  }
}

function parsed(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).slice(1, -1).map(split);
  const of = (type: string): string => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type) === true);
    return part === undefined ? '' : decoded(part.body, part.headers['content-transfer-encoding'] ?? '');
  };
  return { headers, text: of('text/plain'), html: of('text/html') };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = raw.replace(/^\r\n/, '').split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())] as const;
  });
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

/** Encoded words (RFC 2047) in base64. */
function words(text: string): string {
  return text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, base64: string) => Buffer.from(base64, 'base64').toString());
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString().replaceAll('\r\n', '\n');
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}
