// pg's client, with one difference: an answer that its parser chokes on (a way to log in that pg does not know, something that
// is no PostgreSQL at all) breaks the connection. pg throws from the socket's own event, which would end the process.
import { Client, type ClientConfig, type Connection } from 'pg';
import type { Duplex } from 'node:stream';

type Listener = (chunk: Buffer) => void;
type Listen = (event: string, listener: Listener) => unknown;

/** Undocumented: hands what the stream says to the parser, and uses nothing of it but `on`. */
type Listening = Connection & { attachListeners(stream: { on: Listen }): void };

export class GuardedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const connection = this.connection as Listening;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = () => attach({ on: listenGuarded(connection.stream) });
  }
}

function listenGuarded(stream: Duplex): Listen {
  return (event, listener) =>
    stream.on(event, (chunk: Buffer) => {
      try {
        listener(chunk);
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
}
