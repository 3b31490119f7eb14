// Swagger UI in a real browser, as in the demo: authorized already, and every operation shows data when it is tried out untouched.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import type { DataSource } from 'typeorm';
import { judgeAll } from '../../src/alerts/judging.js';
import { SCOPES } from '../../src/common/auth/scope.js';
import { findExamples, makeWritableExamples } from '../../src/demo/demo-examples.js';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';
import { keysOf, openOperator } from '../support/operator.js';
import { chirpStack, send, setSensor } from '../support/uplinks.js';
import { launchBrowser, PATIENCE_MS } from './support/launch-browser.js';

let browser: Browser;
let service: TestService;
let operator: DataSource;

beforeAll(async () => {
  const database = await createTestDatabase();
  operator = await openOperator(database.url);
  const demoKey = await keysOf(operator).create({
    name: 'demo',
    customerId: null,
    expiresAt: null,
    scopes: SCOPES,
  });
  service = await startService({ database, demoKey, examples: () => findExamples(operator) });
  await insertCustomer(service.sql, { id: 'customer-1' });
  await insertTank(service.sql, 'customer-1', { id: 'tank-1' });
  await makeWritableExamples(operator);
  // Low at once: that is an event.
  const reading = { tank_id: 'tank-1', created_at: new Date().toISOString(), fill_percentage: 5 };
  await service
    .agent(demoKey)
    .post('/v1/telemetry')
    .send({ readings: [reading] })
    .expect(200);
  await judgeAll(service.sql);
  await setSensor(service.sql, 'tank-1', 'em400-udl', null);
  await send(service.agent(demoKey), chirpStack()).expect(200);

  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await operator?.destroy();
});

/** Opens Swagger UI and collects what a person would see in red in the console. */
async function openDocs(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1080 } });
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
  await page.goto(`${service.url}/docs`);
  await page.waitForSelector('.opblock');
  return { page, complaints };
}

/** Every operation of the document, by its id; whoever adds one finds it tried out here. Webhooks are shown, and cannot be called. */
async function operationIds(page: Page): Promise<string[]> {
  const ids = await page
    .locator('.opblock')
    .evaluateAll((blocks) => blocks.filter((block) => !block.closest('.webhooks')).map(({ id }) => id));
  return ids.map((id) => id.replace(/^.*-/, ''));
}

async function execute(page: Page, operation: Locator): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => /\/(v1|health)\//.test(one.url())),
    operation.getByRole('button', { name: 'Execute' }).click(),
  ]);
  return response;
}

/** Presses "Try it out" and "Execute" and gives what is answered. */
async function tryOut(page: Page, operationId: string): Promise<{ operation: Locator; answer: unknown }> {
  const operation = page.locator(`.opblock[id$="-${operationId}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  const response = await execute(page, operation);
  const shown = operation.locator('.live-responses-table .response-col_status').last();
  await shown.waitFor();
  expect([200, 201]).toContain(response.status());
  expect(await shown.textContent()).toContain(String(response.status()));
  return { operation, answer: await response.json() };
}

describe('Swagger UI', () => {
  it('shows data on every operation when it is tried out untouched, and leaves the fleet as it is', async () => {
    const { page, complaints } = await openDocs();
    const answers: Record<string, unknown> = {};
    const ids = await operationIds(page);
    for (const id of ids) {
      const { operation, answer } = await tryOut(page, id);
      answers[id] = answer;
      await operation.locator('.opblock-summary-control').click(); // folded again: the next one comes into view
    }

    expect(answers).toMatchObject({
      listCustomers: {
        object: 'list',
        data: expect.arrayContaining([expect.objectContaining({ id: 'customer-1' })]),
      },
      getCustomer: { object: 'customer', id: 'customer-1' },
      createCustomer: { object: 'customer' },
      putCustomer: { object: 'customer', id: 'example-customer' },
      patchCustomer: { object: 'customer', id: 'example-customer' },
      deleteCustomer: { id: 'old-customer', deleted: true },
      listTanks: {
        object: 'list',
        data: expect.arrayContaining([expect.objectContaining({ id: 'tank-1' })]),
      },
      getTank: { object: 'tank', id: 'tank-1' },
      createTank: { object: 'tank', owner_id: 'example-customer' },
      putTank: { object: 'tank', id: 'example-tank' },
      patchTank: { object: 'tank', id: 'example-tank' },
      deleteTank: { id: 'old-tank', deleted: true },
      getKey: { object: 'key', scopes: SCOPES },
      listTelemetry: { object: 'list', data: [{ object: 'telemetry' }] },
      sendReadings: { object: 'ingest_result', refused: 0 },
      listEvents: { data: expect.arrayContaining([expect.objectContaining({ type: 'tank.low' })]) },
      getEvent: { object: 'event', tank_id: 'tank-1' },
      sendChirpStackUplink: { object: 'uplink_result' },
      sendTtsUplink: { object: 'uplink_result' },
      retryUplinks: { object: 'retry_result' },
      discardUplink: { object: 'uplink', deleted: true },
      getUplink: { object: 'uplink' },
      putSensorProfile: { object: 'sensor_profile', id: 'my-sensor' },
      patchSensorProfile: { object: 'sensor_profile', level: { unit: 'cm' } },
      deleteSensorProfile: { id: 'old-sensor', deleted: true },
      putSensor: { object: 'sensor', tank_id: 'example-tank' },
      deleteSensor: { object: 'sensor', deleted: true },
      getSensor: { object: 'sensor', tank_id: 'tank-1' },
      live: { status: 'ok' },
      ready: { status: 'ok' },
    });
    expect(Object.keys(answers)).toEqual(ids);
    // To the example's endpoints nothing is ever sent.
    const empty = ids.filter((id) => (answers[id] as { total_items?: number }).total_items === 0);
    expect(empty).toEqual(['listWebhookDeliveries']);
    // Those that write have objects of their own, and work once more.
    const { rows } = await service.sql.query(`select id, deleted from tanks where id = 'tank-1'`);
    expect(rows).toEqual([{ id: 'tank-1', deleted: false }]);
    const writes = ids.filter((id) => /^(create|put|patch|delete)(Customer|Tank)$/.test(id));
    expect(writes).toHaveLength(8);
    for (const id of writes) {
      const operation = page.locator(`.opblock[id$="-${id}"]`);
      await operation.locator('.opblock-summary-control').click();
      expect([200, 201]).toContain((await execute(page, operation)).status());
      await operation.locator('.opblock-summary-control').click();
    }
    expect(complaints).toEqual([]);
    await page.close();
  }, 1_200_000); // more than fifty operations, each of which Swagger UI renders anew

  it('offers every format of a list, and tries it out', async () => {
    const { page, complaints } = await openDocs();
    const operation = page.locator('.opblock[id$="-listTanks"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const formats = operation.locator('.response-control-media-type--accept-controller select');
    expect(await formats.locator('option').allTextContents()).toEqual([
      'application/json',
      'text/csv',
      'application/x-ndjson',
      'application/jsonl',
    ]);

    await formats.selectOption('text/csv');
    const response = await execute(page, operation);

    expect(response.headers()['content-type']).toBe('text/csv; charset=utf-8');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('is under our name and within our policy, shows an operation on about two screens, and keeps no key in the browser', async () => {
    const { page, complaints } = await openDocs();
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(await page.title()).toBe('Tank Monitoring Service');

    const operation = page.locator('.opblock[id$="-listCustomers"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-inner').waitFor();
    const { height = Infinity } = (await operation.boundingBox()) ?? {};
    expect(height).toBeLessThan(2_700);

    await tryOut(page, 'listTanks');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('tms_');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
