// A webhook receiver: a real HTTP server that keeps what it was sent and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly body: string;
  readonly event: { readonly type: string; readonly tank_id: string; readonly id: string };
  readonly headers: IncomingHttpHeaders;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By the library that receivers use. */
export function isSignedWith(secret: string, received: Received | undefined): boolean {
  try {
    new Webhook(secret).verify(received?.body ?? '', (received?.headers ?? {}) as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

export class Receiver {
  readonly received: Received[] = [];
  /** How many requests it was answering at once, at most. */
  busiest = 0;
  private busy = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** `reply` may take its time. */
  static async start(
    reply: (received: Received) => Reply | Promise<Reply> = () => ({ status: 204 }),
  ): Promise<Receiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    server.on('request', (request, response) => {
      receiver.busy += 1;
      receiver.busiest = Math.max(receiver.busiest, receiver.busy);
      response.on('close', () => (receiver.busy -= 1));
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const received: Received = {
          id: String(request.headers['webhook-id']),
          body,
          event: JSON.parse(body) as Received['event'],
          headers: request.headers,
        };
        receiver.received.push(received);
        void Promise.resolve(reply(received)).then(({ status, headers }) =>
          response.writeHead(status, headers ?? {}).end(),
        );
      });
    });
    return receiver;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
