// Recognizes tokens in addresses, for senders that have no headers: each may do nothing but post to its source, as the key that made it,
// and ends with that key. They are looked up each time: one that was replaced or removed is no good at once.
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { FRESH_READS, isStorable, type Reads, type Statement } from '../../platform/database/reads.js';
import { hashKey, IS_ACTIVE } from './api-key.js';
import { callerOfKey, KEY_COLUMNS, type KeyRow } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { LastUse } from './last-use.js';

const FIND_KEY: Statement = {
  name: 'find_key_of_source_token',
  text: `
    select ${KEY_COLUMNS} from api_keys key
    where prefix = (select key_prefix from source_tokens where hash = decode($1, 'hex') and source_id = $2) and ${IS_ACTIVE}`,
};

/** 256 random bits. */
const FORMAT = /^[A-Za-z0-9_-]{43}$/;

/** In the address of a request: the source, a slash and the token. Only one kind of address has a part of this name. */
export function sourceTokenIn(request: Request): string | undefined {
  const params: Request['params'] | undefined = request.params; // there are none before a route is found
  const token = params?.['source_token'];
  return typeof token === 'string' ? `${String(params['id'])}/${token}` : undefined;
}

@Injectable()
export class SourceTokens {
  /** By their hashes, so that they can be told from guesses for a day. */
  private readonly familiar = new LRUCache<string, true>({ max: 10_000, ttl: 86_400_000 });

  constructor(
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly lastUse: LastUse,
  ) {}

  isNew(text: string): boolean {
    return !this.familiar.has(hashKey(text).toString('base64'));
  }

  /** Null when it is no token of this source, or its key has ended. */
  async callerOf(text: string): Promise<Caller | null> {
    const end = text.lastIndexOf('/');
    const [sourceId, token] = [text.slice(0, end), text.slice(end + 1)];
    if (!FORMAT.test(token) || !isStorable(sourceId)) return null;
    const values = [hashKey(token).toString('hex'), sourceId];
    const row = await this.reads.firstRow<KeyRow>(FIND_KEY, values);
    if (row === undefined) return null;
    this.familiar.set(hashKey(text).toString('base64'), true);
    this.lastUse.note('key', row.prefix, Date.now());
    return callerOfKey(row);
  }
}
