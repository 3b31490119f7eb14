// A service as the demo starts it, with what its examples name.
import { SCOPES } from '../../src/common/auth/scope.js';
import { findExamples, makeWritableExamples } from '../../src/demo/demo-examples.js';
import { startService } from './app.js';
import { insertFleetOf } from './builders.js';
import { reading, send } from './ingest.js';
import { keysOf, openDatabase } from './operator.js';

export async function startDemo(fill: number) {
  const { database, operator } = await openDatabase();
  const bounds = { name: 'demo', customerId: null, expiresAt: null, scopes: SCOPES };
  const demoKey = await keysOf(operator).create(bounds);
  const service = await startService({ database, demoKey, examples: () => findExamples(operator) });
  const api = service.agent(demoKey);
  await insertFleetOf(service.sql, { 'customer-1': ['tank-1'] });
  await makeWritableExamples(operator);
  await send(api, [reading('tank-1', new Date().toISOString(), fill)]).expect(200);
  return { ...service, api };
}
