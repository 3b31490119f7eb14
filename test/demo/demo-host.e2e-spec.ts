// The demo hands out its key, so it answers to names of this machine only: a name that somebody else lets point here is refused.
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { sendBytes } from '../support/raw.js';

const service = await startService({ demoKey: 'tms_demo.the-key-of-the-demo' });
const PATHS = [
  '/',
  '/docs',
  '/docs/swagger-ui-init.js',
  '/openapi.json',
  '/fleet',
  '/health/live',
  '/v1/tanks',
  '/nowhere',
];

const askAs = (host: string | undefined, path: string) =>
  sendBytes(
    service.url,
    `GET ${path} HTTP/1.1\r\n${host === undefined ? '' : `Host: ${host}\r\n`}Connection: close\r\n\r\n`,
  );

describe('the demo', () => {
  it.each([
    'localhost',
    'LOCALHOST:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '127.1.2.3:80',
    '[::1]',
    '[::1]:3000',
  ])('answers to %s', async (host) => {
    expect((await askAs(host, '/docs/swagger-ui-init.js')).text).toContain('the-key-of-the-demo');
    expect((await askAs(host, '/v1/tanks')).status).toBe(401);
  });

  it.each([
    'evil.example.com',
    'localhost.evil.example.com:3000',
    '127.0.0.1.evil.example.com',
    'localhost@evil.example.com',
    '0.0.0.0:3000',
    '[::2]:3000',
    '[::ffff:10.0.0.1]',
    '',
    undefined,
  ])('does not answer to %j, whatever the address', async (host) => {
    for (const path of PATHS) {
      const { status, headers, text } = await askAs(host, path);

      expect([path, status]).toEqual([path, 421]);
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(JSON.parse(text)).toMatchObject({ status: 421, code: 'misdirected_request' });
      expect(text).not.toContain('the-key-of-the-demo');
    }
  });
});

describe('the key of the demo', () => {
  const PRIVATE = [
    '/',
    '/docs',
    '/DOCS/swagger-ui-init.js',
    '/docs/swagger-ui-init.js',
    '/fleet',
    '/fleet/demo-key',
  ];

  it('is for no page of another origin, even where all may call the API', async () => {
    const demoKey = 'tms_demo.the-key-of-the-demo';
    const demo = await startService({ demoKey, environment: { CORS_ORIGINS: '*' } });
    const askFrom = (path: string, method = 'GET') =>
      fetch(demo.url + path, {
        method,
        headers: { Origin: 'https://evil.example.com', 'Access-Control-Request-Method': 'GET' },
        redirect: 'manual',
      });

    for (const path of [...PRIVATE, ...PRIVATE.map((address) => `/${address}`), '/nowhere']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await askFrom(path, method);
        const grants = [...headers.keys()].filter((name) => name.startsWith('access-control-'));

        expect({ path, method, grants }).toEqual({ path, method, grants: [] });
        // Nor as a script, which needs no grant.
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      }
    }
    expect((await askFrom('/v1/tanks')).headers.get('access-control-allow-origin')).toBe('*');
  });
});
