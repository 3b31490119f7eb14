// Webhook endpoints as they are managed over HTTP: a service with webhooks, agents with keys for them, and a receiver for each test.
import { afterEach, beforeEach } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { WebhookEndpointWithSecret as Endpoint } from 'tank-monitoring-client';
import type { Background } from '../../src/background/background.js';
import { startService, type Agent, type TestService } from './app.js';
import { insertFleetOf } from './builders.js';
import { Receiver, type Reply } from './receiver.js';
import { PATIENCE_MS, startWorker } from './worker.js';

export const ADDRESS = '/v1/webhook_endpoints';

const WEBHOOK_SECRET_KEY = randomBytes(32).toString('base64');
export const CLOSED_NETWORK = { WEBHOOK_SECRET_KEY, WEBHOOK_ALLOW_PRIVATE: 'true' };

export const agentOf = async (of: TestService, customerId: string | null = null): Promise<Agent> =>
  of.agent(await of.createKey({ scopes: ['webhooks'], customerId }));

export async function startEndpoints() {
  const service = await startService({
    environment: CLOSED_NETWORK,
    adjust: (config) => ({ ...config, webhooks: { ...config.webhooks, timeoutMs: PATIENCE_MS } }),
  });
  const { sql } = service;
  await insertFleetOf(sql, { ours: [], theirs: [] });
  const [all, ours] = [await agentOf(service), await agentOf(service, 'ours')];

  const workers: Background[] = [];
  const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));
  const hooks = {
    service,
    sql,
    all,
    ours,
    /** Of this test, and what it answers. */
    receiver: undefined as unknown as Receiver,
    reply: { status: 204 } as Reply,
    startWorker: () => workers.push(startWorker(sql, WEBHOOK_SECRET_KEY)),
    stopWorkers,
    create: async (body: object = {}, as = all): Promise<Endpoint> => {
      const created = as.post(ADDRESS).send({ url: hooks.receiver.url, ...body });
      return (await created.expect(201)).body as Endpoint;
    },
    test: ({ id }: Pick<Endpoint, 'id'>, as = all) => as.post(`${ADDRESS}/${id}/test`),
    /** As they would be written, which queues them. */
    happen: (ids: readonly string[], owner = 'ours', type = 'tank.low') =>
      sql.query(
        `insert into events (id, type, created_at, tank_id, owner_id, data)
         select id, $2, now(), 'tank of ' || id, $3, '{}' from unnest($1::text[]) id`,
        [ids, type, owner],
      ),
    deliveriesOf: async (id: string, query = ''): Promise<Record<string, unknown>[]> => {
      const { body } = await all.get(`${ADDRESS}/${id}/deliveries${query}`).expect(200);
      return (body as { data: Record<string, unknown>[] }).data;
    },
  };
  beforeEach(async () => {
    await sql.query('delete from events; delete from webhook_endpoints; delete from webhook_lines');
    hooks.reply = { status: 204 };
    hooks.receiver = await Receiver.start(() => hooks.reply);
  });
  afterEach(async () => {
    await stopWorkers();
    await hooks.receiver.stop();
  });
  return hooks;
}
