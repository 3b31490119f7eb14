// Which pages in a browser may call the API: none, unless configured.
import { describe, expect, it } from '@jest/globals';
import { createFleet } from './support/fleet.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';

const ORIGIN = 'https://app.example.com';
const STRANGER = 'https://evil.example.com';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const [closed, open] = await Promise.all([
  ServiceProcess.start({ DATABASE_URL: database.url }),
  ServiceProcess.start({ DATABASE_URL: database.url, CORS_ORIGINS: `${ORIGIN},https://other.example.com` }),
]);
stage.add(closed);
stage.add(open);

/** What a browser asks before a request with a key; it sends none itself. */
function preflight(service: ServiceProcess, origin: string): Promise<Outcome> {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'x-api-key',
  };
  return ask(service.url, { path: '/v1/tanks', method: 'OPTIONS', headers });
}

function get(service: ServiceProcess, origin: string, headers: Record<string, string>): Promise<Outcome> {
  return ask(service.url, { path: '/v1/tanks', headers: { ...headers, Origin: origin } });
}

const grants = ({ headers }: Outcome) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('CORS', () => {
  it('is closed by default: no page is granted anything', async () => {
    const before = await preflight(closed, ORIGIN);
    const after = await get(closed, ORIGIN, fleet.headers);

    expect(before.status).toBe(401);
    expect(after.status).toBe(200);
    expect([...grants(before), ...grants(after)]).toEqual([]);
  });

  it('grants a configured origin its preflight without a key, and what it may read', async () => {
    const before = await preflight(open, ORIGIN);
    expect(before.status).toBe(204);
    expect(before.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS',
      'access-control-allow-headers': expect.stringContaining('X-API-Key'),
    });

    const after = await get(open, ORIGIN, fleet.headers);
    expect(after.status).toBe(200);
    expect(after.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': expect.stringMatching(/X-Request-Id.*X-Total-Items,X-Total-Pages/),
      vary: expect.stringContaining('Origin'),
    });
    expect(after.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('lets a configured origin read why it was refused, too', async () => {
    const refused = await get(open, ORIGIN, {});
    expect(refused.status).toBe(401);
    expect(refused.headers).toMatchObject({ 'access-control-allow-origin': ORIGIN });
  });

  it('grants other origins nothing', async () => {
    for (const outcome of [await preflight(open, STRANGER), await get(open, STRANGER, fleet.headers)]) {
      expect(outcome.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});
