// Whether the service runs, and whether it can answer.
import { askForJson } from './json.js';
import type { RequestOptions, Transport } from './transport.js';
import type { Health as Live, Ready } from './types.js';

export class Health {
  constructor(private readonly transport: Transport) {}

  live(options: RequestOptions = {}): Promise<Live> {
    return askForJson(this.transport, { ...options, path: '/health/live', isRepeatable: true });
  }

  /** A service that cannot reach its database is a `ProblemError` with status 503. */
  ready(options: RequestOptions = {}): Promise<Ready> {
    return askForJson(this.transport, {
      maxRetries: 0,
      ...options,
      path: '/health/ready',
      isRepeatable: true,
    });
  }
}
