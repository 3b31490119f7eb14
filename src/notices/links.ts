// The links in mails: each names one recipient, one purpose and one address, and is signed with a key that is derived for this alone.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '../platform/config/config.js';
import type { Recipient } from './recipient.entity.js';

export type Purpose = 'confirm' | 'unsubscribe';

/** What a signed token says; whether that still holds, `isStillGood` knows. */
export interface Link {
  readonly purpose: Purpose;
  readonly recipientId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly number: number;
  readonly address: string;
}

type Addressee = Pick<Recipient, 'id' | 'email' | 'link_number'>;

const CONFIRM_WITHIN_MS = 7 * 86_400_000;

/** As it is remembered when the recipient is gone. */
export const hashOfAddress = (email: string): Buffer =>
  createHash('sha256').update(email.toLowerCase()).digest();

const addressMark = (email: string): string => hashOfAddress(email).toString('base64url').slice(0, 16);

export class Links {
  private readonly keys: readonly Buffer[];

  /** Made of the keys that seal secrets, in base64: the first signs and all are good, so that they can be changed. */
  constructor(private readonly config: Pick<Config, 'webhooks' | 'publicUrl'>) {
    this.keys = config.webhooks.secretKeys.map((key) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'tank-monitoring links in mails', 32)),
    );
  }

  confirm(to: Addressee, now = Date.now()): string {
    return this.linkOf('confirm', to, now + CONFIRM_WITHIN_MS);
  }

  /** It holds as long as the recipient has that address. */
  unsubscribe(to: Addressee): string {
    return this.linkOf('unsubscribe', to, 0);
  }

  /** Undefined when it is not one of ours. */
  read(token: string): Link | undefined {
    const end = token.lastIndexOf('.');
    const [text, mac] = [token.slice(0, end), Buffer.from(token.slice(end + 1))];
    const isOurs = this.keys.some((key) => {
      const right = Buffer.from(macOf(key, text));
      return mac.length === right.length && timingSafeEqual(mac, right);
    });
    if (!isOurs) return undefined;
    const [purpose, recipientId = '', expires = '', number = '', address = ''] = text.split('.');
    const what = purpose === 'c' ? 'confirm' : 'unsubscribe';
    return { purpose: what, recipientId, expiresAt: parseInt(expires, 36), number: Number(number), address };
  }

  private linkOf(purpose: Purpose, { id, email, link_number: number }: Addressee, expiresAt: number): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('There is no key to sign a link with.');
    const text = [purpose[0], id, expiresAt.toString(36), number, addressMark(email)].join('.');
    return `${this.config.publicUrl ?? ''}/mail/${purpose}/${text}.${macOf(key, text)}`;
  }
}

export function isStillGood(link: Link, purpose: Purpose, recipient: Addressee): boolean {
  if (link.purpose !== purpose || link.address !== addressMark(recipient.email)) return false;
  return purpose === 'unsubscribe' || (link.expiresAt > Date.now() && link.number === recipient.link_number);
}

const macOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
