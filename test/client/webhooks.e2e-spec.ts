// verifyWebhook takes what the service signed, a moment ago, and nothing else.
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from 'tank-monitoring-client';
import { Sender, sendPing } from '../../src/webhooks/send.js';
import { newSecret } from '../../src/webhooks/secrets.js';
import { Receiver } from '../support/receiver.js';

const ID = '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e';
const EVENT = { id: ID, object: 'event', type: 'tank.low', data: { tank: { name: 'Über 100 % – Öl' } } };
const BODY = JSON.stringify(EVENT);
const SECRET = newSecret();

function signed(body = BODY, secret = SECRET, at = new Date()): Record<string, string> {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(ID, at, body),
  };
}

/** What is said about it. */
function isRefused(...given: Parameters<typeof verifyWebhook>): string {
  try {
    verifyWebhook(...given);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
  throw new Error('It was taken.');
}

describe('a genuine webhook', () => {
  it('is what the service really sends', async () => {
    const receiver = await Receiver.start();
    await sendPing(new Sender({ allowPrivate: true }), receiver.url, [SECRET]);
    const { body, headers } = receiver.received[0]!;
    expect(verifyWebhook(body, headers, SECRET)).toEqual(JSON.parse(body));
    expect(verifyWebhook(body, headers, SECRET)).toMatchObject({ type: 'ping', data: {} });
    await receiver.stop();
  });

  it('may come as text or bytes, with headers of any kind', () => {
    const headers = signed();
    const bytes = new TextEncoder().encode(BODY);
    const upperCase = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)])
      for (const given of [headers, new Headers(headers), upperCase])
        expect(verifyWebhook(body as string, given, SECRET)).toEqual(EVENT);
  });

  it('may be signed with one of several secrets, or with several', () => {
    const other = newSecret();
    expect(verifyWebhook(BODY, signed(), [other, SECRET])).toEqual(EVENT);
    expect(verifyWebhook(BODY, signed(), ['', SECRET])).toEqual(EVENT);
    const headers = signed();
    const twice = `${headers['webhook-signature']}, ${signed(BODY, other)['webhook-signature']}`;
    expect(verifyWebhook(BODY, { ...headers, 'webhook-signature': twice }, SECRET)).toEqual(EVENT);
    headers['webhook-signature'] = `v1a,what-is-that ${signed(BODY, other)['webhook-signature']} ${
      headers['webhook-signature']
    }`;
    expect(verifyWebhook(BODY, headers, SECRET)).toEqual(EVENT);
    expect(verifyWebhook(BODY, headers, SECRET.replace('whsec_', ''))).toEqual(EVENT);
  });
});

describe('what is not genuine', () => {
  it('is refused: another body, id, time, secret or signature', () => {
    const headers = signed();
    const wrong = 'No signature fits the body and a secret.';
    expect(isRefused(`${BODY} `, headers, SECRET)).toBe(wrong);
    expect(isRefused(BODY, headers, newSecret())).toBe(wrong);
    expect(isRefused(BODY, headers, [])).toBe(wrong);
    expect(isRefused(BODY, { ...headers, 'webhook-id': 'another' }, SECRET)).toBe(wrong);
    const second = String(Number(headers['webhook-timestamp']) - 1);
    expect(isRefused(BODY, { ...headers, 'webhook-timestamp': second }, SECRET)).toBe(wrong);
    const signature = headers['webhook-signature']!;
    for (const altered of [
      signature.slice(0, -4),
      `${signature}AAAA`,
      'v1,',
      'v1',
      signature.slice(3),
      'v1,*',
    ])
      expect(isRefused(BODY, { ...headers, 'webhook-signature': altered }, SECRET)).toBe(wrong);
  });

  it('is refused without one of its headers, or with a time that is none', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(isRefused(BODY, { ...signed(), [name]: undefined }, SECRET)).toBe(`There is no header ${name}.`);
    for (const time of ['now', '-1', '1e9', 'NaN', '9'.repeat(400)])
      expect(isRefused(BODY, { ...signed(), 'webhook-timestamp': time }, SECRET)).toBe(
        'webhook-timestamp is not a time.',
      );
  });

  it('is refused when it is older than five minutes, or from the future', () => {
    for (const minutes of [-5.1, 5.1])
      expect(isRefused(BODY, signed(BODY, SECRET, new Date(Date.now() + minutes * 60_000)), SECRET)).toMatch(
        /five minutes ago/,
      );
    for (const minutes of [-4.9, 4.9])
      expect(
        verifyWebhook(BODY, signed(BODY, SECRET, new Date(Date.now() + minutes * 60_000)), SECRET),
      ).toEqual(EVENT);
  });
});

it('a mistake of the caller is a TypeError: a parsed body, a secret that is none', () => {
  expect(() => verifyWebhook(EVENT as unknown as string, signed(), SECRET)).toThrow(TypeError);
  for (const secret of ['', 'whsec_', 'whsec_***'])
    expect(() => verifyWebhook(BODY, signed(), secret)).toThrow(TypeError);
});
