// Signing secrets: made here, shown once, and encrypted at rest (AES-256-GCM) together with the endpoint's id: a row that is copied
// to another endpoint cannot be opened.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CONFIG, type Config } from '../platform/config/config.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** As the Standard Webhooks specification writes it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

export class SecretBox {
  private readonly keys: readonly Buffer[];

  /** Keys in base64: the first seals and all open, so that keys can be changed. */
  constructor(keys: readonly string[]) {
    this.keys = keys.map((key) => Buffer.from(key, 'base64'));
  }

  seal(secret: string, endpointId: string): Buffer {
    const [key] = this.keys;
    if (key === undefined) throw new Error('There is no key to seal a secret with.');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(endpointId));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Undefined when it was sealed with another key, or for another endpoint. */
  open(sealed: Buffer, endpointId: string): string | undefined {
    for (const key of this.keys) {
      const secret = openWith(key, sealed, endpointId);
      if (secret !== undefined) return secret;
    }
    return undefined;
  }

  /** Those that sign now, the current one first; none when the key is another than the one they were sealed with. */
  openAll(endpointId: string, sealed: Buffer, previous: Buffer | null): string[] {
    const current = this.open(sealed, endpointId);
    if (current === undefined) return [];
    const before = previous === null ? undefined : this.open(previous, endpointId);
    return before === undefined ? [current] : [current, before];
  }
}

function openWith(key: Buffer, sealed: Buffer, endpointId: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(endpointId));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return (
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}

/** With the keys of the service. */
export const SECRET_BOX = {
  provide: SecretBox,
  inject: [CONFIG],
  useFactory: ({ webhooks }: Config) => new SecretBox(webhooks.secretKeys),
};
