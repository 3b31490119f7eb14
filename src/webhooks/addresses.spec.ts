// A webhook cannot be used to reach what only this machine or its network can.
import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { checkUrl, ForbiddenAddress, guardedLookup, isPublic } from './addresses.js';

const PUBLIC_ONLY = { allowPrivate: false };

describe('an address', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '2606:4700::1111',
    '64:ff9b::1.1.1.1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe('a URL', () => {
  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:password@example.com/',
    'https://example.com:22/',
    'https://example.com:25/',
    'example.com',
    '',
  ])('%s is refused', (url) => {
    expect(() => checkUrl(url, PUBLIC_ONLY)).toThrow(ForbiddenAddress);
  });

  it.each(['https://example.com/hook', 'https://example.com:8443/hook?a=1', 'https://1.1.1.1/'])(
    '%s is taken',
    (url) => {
      expect(checkUrl(url, PUBLIC_ONLY).href).toBe(url);
    },
  );

  it.each(['http://127.0.0.1:8080/', 'https://10.0.0.1/', 'http://localhost:3000/hook'])(
    '%s is taken where private addresses are allowed',
    (url) => {
      expect(checkUrl(url, { allowPrivate: true }).href).toBe(url);
    },
  );
});

/** What a connection is told to go to, when its name leads there. */
const connectTo = (
  found: readonly string[],
  options: { all?: boolean } = {},
): Promise<string | LookupAddress[]> =>
  new Promise((resolve, reject) => {
    const answer = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    guardedLookup(PUBLIC_ONLY, async () => answer)('hook.example', options, (error, address) =>
      error === null ? resolve(address) : reject(error),
    );
  });

describe('a name', () => {
  it('that leads to a private address, or does not exist, is not connected to, and nobody is told which of both', async () => {
    const words = 'hook.example leads to no public address (a private one needs WEBHOOK_ALLOW_PRIVATE=true)';
    for (const found of [['192.168.1.1'], []])
      await expect(connectTo(found)).rejects.toEqual(new ForbiddenAddress(words));
  });

  it('that leads to public and private addresses is connected to at the public ones only', async () => {
    expect(await connectTo(['127.0.0.1', '::1', '1.1.1.1'], { all: true })).toEqual([
      { address: '1.1.1.1', family: 4 },
    ]);
    expect(await connectTo(['::1', '1.1.1.1'])).toBe('1.1.1.1');
  });

  it('is judged anew for every connection, so that one that changes its mind gets nowhere', async () => {
    const answers = ['1.1.1.1', '127.0.0.1'];
    const lookup = guardedLookup(PUBLIC_ONLY, async () => [{ address: answers.shift() ?? '', family: 4 }]);
    const ask = () =>
      new Promise((resolve) => lookup('hook.example', {}, (error, address) => resolve(error ?? address)));
    expect(await ask()).toBe('1.1.1.1');
    expect(await ask()).toBeInstanceOf(ForbiddenAddress);
  });
});
