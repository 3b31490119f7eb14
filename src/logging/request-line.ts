// The log line of a request, written by hand: it is the one line that every request pays for. Its values need no escaping:
// ids and prefixes are checked before, methods are tokens, routes are our own templates.
import { pino, type DestinationStream } from 'pino';
import { timestamp, type Logger } from './logger.js';

export interface RequestFacts {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly keyPrefix: string | undefined;
}

/** Returns undefined when the level leaves requests out. */
export function requestLineWriter(logger: Logger): ((facts: RequestFacts) => void) | undefined {
  if (!logger.isLevelEnabled('info')) return undefined;
  const { [pino.symbols.streamSym]: stream } = logger as Logger & {
    readonly [pino.symbols.streamSym]: DestinationStream;
  };
  return ({ requestId, method, route, status, milliseconds, keyPrefix }) => {
    const key = keyPrefix === undefined ? '' : `,"key":"${keyPrefix}"`;
    stream.write(
      `{"level":"info"${timestamp()},"request_id":"${requestId}","method":"${method}","route":"${route}"` +
        `,"status":${status},"duration_ms":${milliseconds}${key}}\n`,
    );
  };
}
