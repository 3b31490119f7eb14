// Whether a webhook really comes from the service (https://www.standardwebhooks.com).
import { hmacSha256 } from './sha256.js';
import type { Ping, TankEvent } from './types.js';

/** As `fetch` has them, or Node's `request.headers`. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Not from the service, or not from now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_S = 300;

/**
 * The event that a webhook brings. Throws if it is not signed with one of the secrets, or was sent more than five minutes ago. The body
 * must be as it came, not parsed: one space more, and the signature is another. A `webhook-id` that was seen before is a repetition.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): TankEvent | Ping {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a time.');
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_S)
    throw new WebhookVerificationError('It was sent more than five minutes ago, or a clock is wrong.');
  const body = bytesOf(rawBody);
  const start = encoder.encode(`${id}.${timestamp}.`);
  const macs = secretsOf(secret).map((one) => hmacSha256(one, start, body));
  const given = signatures.split(' ').map((one) => signatureBytes(one.replace(/,$/, ''))); // a comma joins two headers
  // Every pair is compared, so that the time says nothing about which one nearly fits.
  const fits = macs.flatMap((mac) => given.map((one) => isSame(mac, one)));
  if (!fits.includes(true)) throw new WebhookVerificationError('No signature fits the body and a secret.');
  return eventOf(body);
}

function eventOf(body: Uint8Array): TankEvent | Ping {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event === 'object' && event !== null) return event as TankEvent | Ping;
  } catch {
    // as below
  }
  throw new WebhookVerificationError('The body is not an event.');
}

const encoder = new TextEncoder();

/** Names of headers have no case; plain objects do. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value: unknown =
    typeof headers?.get === 'function'
      ? headers.get(name)
      : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text !== 'string' || text === '')
    throw new WebhookVerificationError(`There is no header ${name}.`);
  return text;
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return encoder.encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError('The body must be as it came, a text or bytes, not parsed.');
}

/** One that is none is no harm beside another: it may be the place of the next one. */
function secretsOf(given: string | readonly string[]): Uint8Array[] {
  const secrets = [given].flat().map((secret) => base64Bytes(secret.replace(/^whsec_/, '')));
  const usable = secrets.filter((bytes) => bytes !== undefined && bytes.length > 0) as Uint8Array[];
  if (usable.length === 0 && secrets.length > 0) throw new TypeError('Not a secret: it looks like whsec_…');
  return usable;
}

/** Those of other versions fit nothing. */
function signatureBytes(signature: string): Uint8Array {
  return (signature.startsWith('v1,') && base64Bytes(signature.slice(3))) || new Uint8Array();
}

function base64Bytes(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  one.forEach((byte, index) => (difference |= byte ^ (other[index] ?? 0)));
  return difference === 0;
}
