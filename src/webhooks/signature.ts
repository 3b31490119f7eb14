// The headers of a delivery, as https://www.standardwebhooks.com describes them.
import { createHmac } from 'node:crypto';
import { secretBytes } from './secrets.js';

/** While a secret is being rolled, both sign. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  at: Date = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
