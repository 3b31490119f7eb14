// GET /v1/key: what the caller's own key is.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { insertCustomer } from '../support/builders.js';

const service = await startService();
beforeAll(() => insertCustomer(service.sql, { id: 'ours' }));

const prefixOf = (key: string) => key.slice(0, key.indexOf('.'));

describe('GET /v1/key', () => {
  it('shows any valid key to its caller, whatever its scopes', async () => {
    const expiresAt = new Date('2099-01-02T03:04:05.678Z');
    const key = await service.createKey({
      name: 'gateway 7',
      customerId: 'ours',
      scopes: ['tanks:write', 'telemetry:write'],
      expiresAt,
    });
    const { status, text } = await service.raw({ path: '/v1/key' }, key);

    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      object: 'key',
      prefix: prefixOf(key),
      name: 'gateway 7',
      scopes: ['tanks:write', 'telemetry:write'],
      customer_id: 'ours',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: expiresAt.toISOString(),
    });
    expect(text).not.toContain(key.slice(key.indexOf('.') + 1));
  });

  it('is null where a key is not bound and does not end', async () => {
    const { body, headers } = await service.api.get('/v1/key').expect(200);

    expect(body).toMatchObject({
      prefix: prefixOf(service.key),
      scopes: ['read', 'webhooks', 'activity'],
      customer_id: null,
      expires_at: null,
    });
    expect(Object.keys(body as object)).toEqual([
      'object',
      'prefix',
      'name',
      'scopes',
      'customer_id',
      'created_at',
      'expires_at',
    ]);
    await service.api
      .get('/v1/key')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
  });

  it('needs a key, has no parameter, and only reads', async () => {
    expect(await service.status('/v1/key', null)).toBe(401);
    expect(await service.status('/v1/key?x=1')).toBe(400);
    const { status, headers } = await service.raw({ method: 'POST', path: '/v1/key' });
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
