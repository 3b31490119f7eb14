// Swagger UI in a real browser: already authorized in the demo, and each of the five operations can be tried out.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { KeyRegistry } from '../../src/auth/key-registry.js';
import { openDataSource, operatorOptions } from '../../src/database/data-source.js';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertReadings, insertTank } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  const database = await createTestDatabase();
  const operator = await openDataSource(operatorOptions(database.url));
  const demoKey = await new KeyRegistry(operator).create({ name: 'demo', customerId: null, expiresAt: null });
  await operator.destroy();
  service = await startService({ database, demoKey });
  await insertCustomer(service.sql, { id: 'customer-1' });
  await insertTank(service.sql, 'customer-1', { id: 'tank-1' });
  await insertReadings(service.sql, 'tank-1', [
    { created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 42 },
  ]);

  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});

afterAll(async () => {
  await browser?.close();
});

/** Opens Swagger UI and collects what a person would see in red in the console. */
async function openDocs(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
  await page.goto(`${service.url}/`);
  await page.waitForSelector('.opblock');
  return { page, complaints };
}

describe('Swagger UI', () => {
  it.each([
    ['listCustomers', {}, { object: 'list', total_items: 1, data: [{ id: 'customer-1' }] }],
    ['getCustomer', { id: 'customer-1' }, { object: 'customer', id: 'customer-1' }],
    ['listTanks', {}, { object: 'list', total_items: 1, data: [{ id: 'tank-1' }] }],
    ['getTank', { id: 'tank-1' }, { object: 'tank', id: 'tank-1' }],
    ['listTelemetry', { id: 'tank-1' }, { object: 'list', total_items: 1, data: [{ fill_percentage: 42 }] }],
  ])('tries out %s and shows its 200', async (operationId, parameters, expected) => {
    const { page, complaints } = await openDocs();
    const operation = page.locator(`.opblock[id$="-${operationId}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    // Swagger UI fills in the examples; the filters among them would hide what the test put in.
    for (const input of await operation.locator('.parameters input[type="text"]').all()) await input.fill('');
    for (const [name, value] of Object.entries(parameters)) {
      await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
    }

    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes('/v1/')),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ]);

    expect(response.status()).toBe(200);
    expect(await response.json()).toMatchObject(expected);
    const shown = operation.locator('.live-responses-table .response-col_status').last();
    await shown.waitFor();
    expect(await shown.textContent()).toContain('200');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows the five operations and the probes, under our name, within our policy', async () => {
    const { page, complaints } = await openDocs();

    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(await page.title()).toBe('Tank Monitoring Service');
    const paths = await page.locator('.opblock-summary-path').allTextContents();
    expect(paths.map((path) => path.replaceAll('\u200B', '')).toSorted()).toEqual([
      '/health/live',
      '/health/ready',
      '/v1/customers',
      '/v1/customers/{id}',
      '/v1/tanks',
      '/v1/tanks/{id}',
      '/v1/tanks/{id}/telemetry',
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
