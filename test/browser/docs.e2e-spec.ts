// Swagger UI in a real browser, as in the demo: authorized already, and an operation shows data when it is tried out untouched.
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Locator, Response } from 'playwright-core';
import { startDemo } from '../support/demo.js';
import { launchBrowser, PATIENCE_MS } from './support/launch-browser.js';

/** What a person would see in red in the console. */
const complaints: string[] = [];

const service = await startDemo(50);
const browser = await launchBrowser();
/** One for all: Swagger UI takes its time to draw every operation. */
const page = await browser.newPage({ viewport: { width: 1280, height: 1080 } });
page.setDefaultTimeout(PATIENCE_MS);
page.on('console', (message) => {
  if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
});
page.on('pageerror', (error) => complaints.push(error.message));
page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
await page.goto(`${service.url}/docs`);
await page.waitForSelector('.opblock');

afterAll(() => browser.close());

async function execute(operation: Locator): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => /\/(v1|health)\//.test(one.url())),
    operation.getByRole('button', { name: 'Execute' }).click(),
  ]);
  return response;
}

/** Presses "Try it out" and "Execute" and gives what is answered. */
async function tryOut(operationId: string): Promise<{ operation: Locator; answer: unknown }> {
  const operation = page.locator(`.opblock[id$="-${operationId}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  const response = await execute(operation);
  const shown = operation.locator('.live-responses-table .response-col_status').last();
  await shown.waitFor();
  expect([200, 201]).toContain(response.status());
  expect(await shown.textContent()).toContain(String(response.status()));
  return { operation, answer: await response.json() };
}

describe('Swagger UI', () => {
  it('shows data when a read and a write are tried out untouched', async () => {
    const answers: Record<string, unknown> = {};
    for (const id of ['getTank', 'createTank']) {
      const { operation, answer } = await tryOut(id);
      answers[id] = answer;
      await operation.locator('.opblock-summary-control').click(); // folded again: the next one comes into view
    }

    expect(answers).toMatchObject({
      getTank: { object: 'tank', id: 'tank-1' },
      createTank: { object: 'tank', owner_id: 'example-customer' },
    });
    expect(complaints).toEqual([]);
  });

  it('offers every format of a list, and tries it out', async () => {
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
    const response = await execute(operation);

    expect(response.headers()['content-type']).toBe('text/csv; charset=utf-8');
    expect(complaints).toEqual([]);
  });

  it('is under our name and within our policy, shows an operation on about two screens, and keeps no key in the browser', async () => {
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(await page.title()).toBe('Tank Monitoring Service');

    const operation = page.locator('.opblock[id$="-listCustomers"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-inner').waitFor();
    const { height = Infinity } = (await operation.boundingBox()) ?? {};
    expect(height).toBeLessThan(2_700);

    await tryOut('listEvents');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('tms_');
    expect(complaints).toEqual([]);
  });
});
