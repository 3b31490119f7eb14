// Stands between the service and its database, and can be told to behave strangely from some moment on.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { stage } from './stage.js';

/** What to do with a connection instead of handing it on to the database. */
export type Manner = (socket: Socket) => void;

export class StrangeProxy {
  /** Undefined: everything is handed on, both ways. */
  private manner: Manner | undefined;
  private readonly sockets = new Set<Socket>();
  private database: URL;
  private change: (packet: Buffer) => Buffer = (packet) => packet;

  private constructor(
    private readonly server: Server,
    /** The database's, by way of the proxy. */
    readonly url: string,
    databaseUrl: string,
  ) {
    this.database = new URL(databaseUrl);
  }

  static async start(databaseUrl: string): Promise<StrangeProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    const proxy = stage.add(new StrangeProxy(server, url.href, databaseUrl));
    server.on('connection', (socket) => proxy.receive(socket));
    return proxy;
  }

  /** From now on: connections there are break, and new ones are treated like this. */
  behave(manner: Manner | undefined): void {
    this.manner = manner;
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** From now on it leads to another database; connections there are break. */
  moveTo(databaseUrl: string): void {
    this.database = new URL(databaseUrl);
    this.behave(undefined);
  }

  /** The first packet of each new connection reaches the database as this makes it. */
  changeFirst(change: (packet: Buffer) => Buffer): void {
    this.change = change;
  }

  stop(): void {
    this.server.close();
    this.behave((socket) => socket.destroy());
  }

  private receive(socket: Socket): void {
    this.keep(socket);
    if (this.manner !== undefined) return this.manner(socket);
    const database = this.keep(connect(Number(this.database.port), this.database.hostname));
    socket.once('data', (packet) => {
      database.write(this.change(packet));
      socket.pipe(database).pipe(socket);
    });
    socket.on('close', () => database.destroy());
    database.on('close', () => socket.destroy());
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    return socket;
  }
}
