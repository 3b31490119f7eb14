// A server that speaks PostgreSQL's protocol and answers each statement as the spec says: for what can be tested without a database,
// through the real pools and clients. https://www.postgresql.org/docs/current/protocol-message-formats.html
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Asked {
  readonly text: string;
  readonly values: readonly string[];
}

type Cell = boolean | number | string | null | readonly number[] | readonly string[];
export type Row = Readonly<Record<string, Cell>>;
type Answer = (asked: Asked) => Row | Promise<Row>;

/** Thrown by an answer: the statement fails with this SQLSTATE. */
export class SqlFailure extends Error {
  constructor(readonly code: string) {
    super(`A failure of the kind ${code}.`);
  }
}

/** Of every session, and what the service asks of a new one. */
const PROCESS_ID = 1;
const SESSION: Row = { pid: PROCESS_ID, TimeZone: 'UTC', DateStyle: 'ISO, MDY', client_encoding: 'UTF8' };

export class ScriptedPostgres {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answer: Answer): Promise<ScriptedPostgres> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedPostgres(server, `postgres://user@127.0.0.1:${port}/database`);
    server.on('connection', (socket) => {
      scripted.sockets.add(socket);
      new Session(socket, answer).serve();
    });
    return scripted;
  }

  /** As a server that crashes would. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }
}

class Session {
  private readonly texts = new Map<string, string>();
  private values: string[] = [];
  private text = '';

  constructor(
    private readonly socket: Socket,
    private readonly answer: Answer,
  ) {}

  serve(): void {
    let unread = Buffer.alloc(0);
    let start = 0; // the first message has no type
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      while (unread.length >= start + 4 && unread.length >= start + unread.readInt32BE(start)) {
        const end = start + unread.readInt32BE(start);
        this.receive(start === 0 ? '' : String.fromCharCode(unread[0] ?? 0), unread.subarray(start + 4, end));
        unread = unread.subarray(end);
        start = 1;
      }
    });
  }

  private receive(type: string, body: Buffer): void {
    if (type === '') this.send(message('R', int32(0)), message('K', int32(PROCESS_ID), int32(0)), READY);
    else if (type === 'Q') void this.run(textsOf(body)[0] ?? '', []);
    else if (type === 'P') this.parse(body);
    else if (type === 'B') this.bind(body);
    else if (type === 'S') void this.run(this.text, this.values);
  }

  private parse(body: Buffer): void {
    const [name = '', text = ''] = textsOf(body);
    this.texts.set(name, text);
    this.send(message('1'));
  }

  /** The service sends every value as a text. */
  private bind(body: Buffer): void {
    const [portal = '', name = ''] = textsOf(body);
    let at = Buffer.byteLength(portal) + Buffer.byteLength(name) + 2;
    at += 2 + 2 * body.readInt16BE(at);
    this.text = this.texts.get(name) ?? '';
    this.values = Array.from({ length: body.readInt16BE(at) }, () => '');
    at += 2;
    this.values = this.values.map(() => {
      const length = body.readInt32BE(at);
      at += 4 + length;
      return body.toString('utf8', at - length, at);
    });
    this.send(message('2'));
  }

  private async run(text: string, values: readonly string[]): Promise<void> {
    try {
      const row = text.includes('pg_backend_pid') ? SESSION : await this.answer({ text, values });
      const cells = Object.values(row);
      this.send(message('T', int16(cells.length), ...Object.entries(row).map(describe)));
      this.send(message('D', int16(cells.length), ...cells.map(encode)));
      this.send(message('C', cString('SELECT 1')), READY);
    } catch (error) {
      const code = error instanceof SqlFailure ? error.code : 'XX000';
      this.send(
        message('E', cString('SERROR'), cString(`C${code}`), cString(`M${String(error)}`), Buffer.alloc(1)),
      );
      this.send(READY);
    }
  }

  private send(...messages: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(messages));
  }
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value]);
const int32 = (value: number): Buffer => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const cString = (text: string): Buffer => Buffer.from(`${text}\0`);

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

const READY = message('Z', Buffer.from('I'));

/** The texts at a message's beginning. */
function textsOf(body: Buffer): string[] {
  return body.toString('utf8').split('\0');
}

function describe([name, cell]: readonly [string, Cell]): Buffer {
  return Buffer.concat([
    cString(name),
    int32(0),
    int16(0),
    int32(typeOf(cell)),
    int16(-1),
    int32(-1),
    int16(0),
  ]);
}

/** PostgreSQL's number of the type. */
function typeOf(cell: Cell): number {
  if (typeof cell === 'boolean') return 16;
  if (typeof cell === 'number') return 701;
  if (typeof cell === 'string' || cell === null) return 25;
  return typeof cell[0] === 'number' ? 1007 : 1009;
}

function encode(cell: Cell): Buffer {
  if (cell === null) return int32(-1);
  const text = Array.isArray(cell) ? JSON.stringify(cell).replace('[', '{').replace(']', '}') : String(cell);
  return Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)]);
}
