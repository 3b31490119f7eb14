// What an API key looks like: `prefix.secret`. The prefix is public and names the key; the secret is 32 random bytes.
import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const FORMAT = /^([A-Za-z0-9_-]{4,32})\.[A-Za-z0-9_-]{43}$/;

export function newKey() {
  const prefix = `tms_${randomBytes(6).toString('base64url')}`;
  const key = `${prefix}.${randomBytes(32).toString('base64url')}`;
  return { key, prefix, hash: hashKey(key) };
}

/** Which of the api_keys are let in, in SQL. A key ends with its customer, and is back when that is restored. */
export const IS_ACTIVE = `
  revoked_at is null and (expires_at is null or expires_at > now())
  and (customer_id is null or exists (select from customers where id = customer_id and not deleted))`;

/** The public prefix of a well-formed key; undefined for anything else, which then costs no look-up. */
export function readPrefix(key: string): string | undefined {
  return FORMAT.exec(key)?.[1];
}

const SCHEME = /^(Bearer|Basic) +(\S+) *$/i;

/** The key of a request; undefined without one. An Authorization that holds none is somebody else's, such as a proxy's own. */
export function keyIn({ 'x-api-key': key, authorization = '' }: IncomingHttpHeaders): string | undefined {
  if (typeof key === 'string' && key !== '') return key;
  const [, scheme = '', credentials = ''] = SCHEME.exec(authorization) ?? [];
  const decoded =
    scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString() : undefined;
  const held = decoded === undefined ? credentials : decoded.slice(decoded.indexOf(':') + 1);
  return readPrefix(held) === undefined ? undefined : held;
}

/** One SHA-256 is enough: the secret has 256 bits of entropy, so there is nothing for a slow hash to protect. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
