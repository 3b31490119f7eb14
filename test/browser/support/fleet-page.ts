// The fleet page in a real browser, watched: what it says in the console, whom it asks, and how much it jumps about.
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import type { Scope } from '../../../src/common/auth/scope.js';
import { startService, type ServiceOptions } from '../../support/app.js';
import { launchBrowser, PATIENCE_MS } from './launch-browser.js';

export const DESK = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

let browser: Browser;
let visits: Visit[] = [];
/** What the service logged as errors: beside a complaint of the browser, its cause. */
const errors: string[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });

/** The service of a spec file, and ways to its page, signed in with a key of these scopes unless told otherwise. */
export async function startFleet(scopes: readonly Scope[] = ['read'], options: ServiceOptions = {}) {
  watchedBrowser();
  const service = await startService({ logger, ...options });
  const key = await service.createKey({ scopes });
  const visitFleet = (address = '', more: VisitOptions = {}) => visit(service.url, address, { key, ...more });
  const open = async (address = '', more: VisitOptions = {}) => (await visitFleet(address, more)).page;
  return { service, sql: service.sql, key, api: service.agent(key), visit: visitFleet, open };
}

/** To be called once in a spec file. Whatever a test does, the page says nothing in the console and asks no other host. */
export function watchedBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    const ended = visits;
    visits = [];
    const causes = errors.splice(0);
    for (const { complaints, foreign, page } of ended) {
      expect(await page.evaluate(idsTwice)).toEqual([]);
      expect(complaints.length === 0 ? [] : [...complaints, ...causes]).toEqual([]);
      expect(foreign).toEqual([]);
      await page.context().close();
    }
  });
  afterAll(() => browser?.close());
}

export interface Visit {
  readonly page: Page;
  /** Messages in the console, errors, and what the page's policy stopped. */
  readonly complaints: string[];
  /** Requests to other hosts. */
  readonly foreign: string[];
  /** Requests to the API. */
  readonly asked: Request[];
  /** Of the feed. */
  readonly followed: Request[];
  /** What the browser itself asked before the page was left; the answer is yes. */
  readonly questions: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Signed in with this key; undefined: as the page comes. */
  readonly key?: string | undefined;
  /** Whether the test moves the page's clock. */
  readonly clock?: boolean;
  /** Statuses that are part of the test: the browser says in the console that they are failures. */
  readonly expected?: readonly number[];
}

/** Opens the page at an address such as `?low=true`. */
export async function visit(url: string, address = '', options: VisitOptions = {}): Promise<Visit> {
  const { key, clock = false, expected = [], ...context } = options;
  const page = await (await browser.newContext({ viewport: DESK, locale: 'en-GB', ...context })).newPage();
  page.context().setDefaultTimeout(PATIENCE_MS);
  const one: Visit = {
    page,
    complaints: [],
    foreign: [],
    asked: [],
    followed: [],
    questions: [],
  };
  visits.push(one);
  page.on('console', (message) => {
    const { url: about } = message.location();
    if (!isExpected(message.text(), expected)) one.complaints.push(`${message.text()} ${about}`);
  });
  page.on('dialog', async (dialog) => {
    one.questions.push(dialog.type() === 'beforeunload' ? 'beforeunload' : dialog.message());
    await dialog.accept();
  });
  page.on('pageerror', (error) => one.complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== new URL(url).origin && !request.url().startsWith('blob:')) one.foreign.push(request.url());
    if (pathname === '/v1/changes') one.followed.push(request);
    else if (pathname.startsWith('/v1/')) one.asked.push(request);
  });
  if (clock) await page.clock.install({ time: Date.now() });
  await page.addInitScript(watchShifts);
  if (key !== undefined) await signInWith(page, url, key);
  await page.goto(`${url}/fleet${address}`);
  return one;
}

/** As the page's form does. */
async function signInWith(page: Page, url: string, key: string): Promise<void> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const response = await page.context().request.post(`${url}/auth/key`, { headers, data: { key } });
  expect(response.status()).toBe(200);
}

function isExpected(message: string, expected: readonly number[]): boolean {
  return expected.some((status) => message.includes(`status of ${status}`));
}

declare global {
  interface Window {
    /** How much has moved without the visitor doing anything: https://web.dev/cls */
    layoutShift: number;
  }
}

/** Runs in the page. */
function idsTwice(): string[] {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  return ids.filter((id, place) => ids.indexOf(id) !== place);
}

/** Runs in the page. */
function watchShifts(): void {
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (!entry.hadRecentInput) window.layoutShift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** As when another tab is in front. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    const visibilityState = value ? 'hidden' : 'visible';
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

/** What the page asked, each address once: on a slow machine it refreshes what it shows while it is looked at. */
export function addressesOf(asked: readonly Request[]): string[] {
  const paths = asked.map((request) => request.url().slice(new URL(request.url()).origin.length));
  return [...new Set(paths)].toSorted();
}

/** Requests to addresses that were asked before. */
export function repeatedIn(asked: readonly Request[]): Request[] {
  return asked.filter((one, at) => asked.slice(0, at).some((earlier) => earlier.url() === one.url()));
}

/** The names in the list, in its order. */
export async function listed(page: Page): Promise<string[]> {
  await page.locator('.tanks [data-tank]').first().waitFor();
  await page.locator('.tanks[aria-busy="false"]').waitFor();
  return page.locator('.tanks [data-tank]').allTextContents();
}

/** What a row says: tank, owner and place, level, last report, state. */
export async function rowOf(page: Page, tankId: string): Promise<string> {
  return (await page.locator('tr', { has: page.locator(`[data-tank="${tankId}"]`) }).innerText()).replaceAll(
    /\s+/g,
    ' ',
  );
}

export async function search(page: Page): Promise<string> {
  return page.evaluate(() => location.search);
}

/** What the page says when something was done. */
export async function said(page: Page, notice: string | RegExp): Promise<void> {
  await page.getByRole('status').getByText(notice, { exact: true }).waitFor();
}

/** What has the focus: a field by its id, anything else by its name. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)) return element.id;
    return (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
  });
}

/** The focus follows what is drawn, a moment later. */
export async function expectFocus(page: Page, name: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while ((await focused(page)) !== name && Date.now() < end) await page.waitForTimeout(50);
  expect(await focused(page)).toBe(name);
}

/** Presses Tab until it is there. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const reached = await focused(page);
    if (typeof name === 'string' ? reached === name : name.test(reached)) return;
  }
  throw new Error(`Tab never reached ${String(name)}.`);
}
