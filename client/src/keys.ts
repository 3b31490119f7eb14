// The key that the client was given, who is asking with it, and all keys for those who manage them.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { write, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  ApiKey,
  ApiKeyInput,
  ApiKeyWithSecret,
  Key as KeyDescription,
  KeyRollInput,
  List,
  ListKeysQuery,
  Me,
} from './types.js';

const PATH = '/v1/keys';

export class Key {
  constructor(private readonly transport: Transport) {}

  /** What the key is and may do. */
  get(options: RequestOptions = {}): Promise<KeyDescription> {
    return askForJson(this.transport, { ...options, path: '/v1/key', isRepeatable: true });
  }

  /** Who is asking: the key, or on a page of the service the user who has signed in. */
  me(options: RequestOptions = {}): Promise<Me> {
    return askForJson(this.transport, { ...options, path: '/v1/me', isRepeatable: true });
  }
}

export class Keys {
  constructor(private readonly transport: Transport) {}

  /** All of them, newest first, never with a secret. */
  list(
    query: WalkQuery<ListKeysQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<ApiKey, void, undefined> {
    return walk<ApiKey>(this.transport, PATH, query, options, ({ prefix }) => prefix);
  }

  /** One page of the list, and how many there are. */
  page(query: ListKeysQuery = {}, options: RequestOptions = {}): Promise<List<ApiKey>> {
    return pageOf(this.transport, PATH, query, options);
  }

  async get(prefix: string, options: RequestOptions = {}): Promise<ApiKey> {
    return askForJson(this.transport, { ...options, path: PATH + address`/${prefix}`, isRepeatable: true });
  }

  /** The answer alone has the secret, which is the whole key. */
  async create(input: ApiKeyInput, options: RequestOptions = {}): Promise<ApiKeyWithSecret> {
    return write(this.transport, 'POST', PATH, input, options);
  }

  /** A new key with the same bounds. The old one still works for a day, or as long as you say. */
  async roll(
    prefix: string,
    input: KeyRollInput = {},
    options: WriteOptions = {},
  ): Promise<ApiKeyWithSecret> {
    return write(this.transport, 'POST', PATH + address`/${prefix}/roll`, input, options);
  }

  async revoke(prefix: string, options: WriteOptions = {}): Promise<ApiKey> {
    return write(this.transport, 'DELETE', PATH + address`/${prefix}`, undefined, options);
  }
}
