// The key that the client was given.
import { askForJson } from './json.js';
import type { RequestOptions, Transport } from './transport.js';
import type { Key as KeyDescription } from './types.js';

export class Key {
  constructor(private readonly transport: Transport) {}

  /** What the key is and may do. */
  get(options: RequestOptions = {}): Promise<KeyDescription> {
    return askForJson(this.transport, { ...options, path: '/v1/key', isRepeatable: true });
  }
}
