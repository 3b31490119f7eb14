// A ping: an event without data that is not stored, sent at once, so that an operator sees whether a webhook works.
import { randomUUID } from 'node:crypto';
import type { Outcome, Sender } from './send.js';
import { signedHeaders } from './signature.js';

export async function sendPing(sender: Sender, url: string, secrets: readonly string[]): Promise<Outcome> {
  if (secrets.length === 0) {
    const reason = 'WEBHOOK_SECRET_KEY does not open the secret of this webhook; rolling it makes a new one';
    return { delivered: false, status: null, reason, retryAfterMs: 0 };
  }
  const id = randomUUID();
  const created_at = new Date().toISOString();
  const ping = { id, object: 'event', type: 'ping', created_at, tank_id: null, owner_id: null, data: {} };
  const body = JSON.stringify(ping);
  try {
    return await sender.send(url, signedHeaders(id, body, secrets), body);
  } finally {
    sender.close();
  }
}
