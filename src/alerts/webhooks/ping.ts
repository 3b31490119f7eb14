// A ping: an event object without data that no list keeps, sent at once, so that an operator sees whether a webhook works.
import { randomUUID } from 'node:crypto';
import type { Outcome, Sender } from './send.js';
import { signedHeaders } from './signature.js';

export async function sendPing(sender: Sender, url: string, secrets: readonly string[]): Promise<Outcome> {
  if (secrets.length === 0) {
    throw new Error(
      'WEBHOOK_SECRET_KEY does not open the secret of this webhook; "webhooks roll-secret" makes a new one.',
    );
  }
  const id = randomUUID();
  const body = JSON.stringify({
    id,
    object: 'event',
    type: 'ping',
    created_at: new Date().toISOString(),
    tank_id: null,
    owner_id: null,
    data: {},
  });
  try {
    return await sender.send(url, signedHeaders(id, body, secrets), body);
  } finally {
    sender.close();
  }
}
