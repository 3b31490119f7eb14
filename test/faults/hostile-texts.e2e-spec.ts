// Texts made to be hard to read, wherever the service takes a text: each is answered within seconds, for time is what such texts are
// after. The service is a process of its own, so that one that hangs makes this fail and not hang too.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';
import { createFleet, createKey } from './support/fleet.js';
import { expectSound } from './support/judgement.js';
import { ask, type Question } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';

const REQUESTS = 1_000;
/** Thousands of times what such a request takes. */
const PATIENCE_MS = 50_000;

const database = await newDatabase();
const fleet = await createFleet(database.url);
const writer = await createKey(database.url, { scopes: ['read', 'telemetry:write'] });
const service = await ServiceProcess.start({ DATABASE_URL: database.url });

const HEADER_LENGTH = 12_000;
const BODY_LENGTH = 300_000;

/** What the formats that are read here are made of. */
const SIGNS = String.raw`
  " "" \ ; = , . - + : / * % @ # ? & | ( ) [ ] { } < > ' _ ~ a T Z 0 1 9 1. .1 1e1
  q= q=0. ;q=1 ;a= charset= application/json text/csv */* gzip utf-8 W/" bytes= 0-
  2026-01-01 T00:00:00 +00:00 a@ tms_ Bearer %20 é`
  .trim()
  .split(/\s+/)
  .concat(' ', '  ', '\t');
const LINE_BREAKS = ['\n', '\r', '\r\n', '"a"b,c,d\n', '"a\n', '{"a":\n', '[\n'];

const few = (signs: readonly string[]) =>
  fc.array(fc.constantFrom(...signs), { maxLength: 4 }).map((parts) => parts.join(''));

/** A beginning, something over and over, and an end that does not fit: what makes a pattern try all ways. */
function hostile(signs: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(few(signs), few(signs), few(signs), fc.constantFrom(40, 1_000, maxLength))
    .map(([start, middle, end, length]) => {
      const repeated = middle.repeat(Math.floor(length / Math.max(middle.length, 1)));
      return start + repeated.slice(0, maxLength - start.length - end.length) + end;
    });
}

/** What an HTTP client lets through. */
const headerText = hostile(SIGNS, HEADER_LENGTH).map((text) => text.replaceAll('é', 'e').trim());
const parametersText = hostile([';', ';a=', '=', 'a', ' ', '"', '\\'], HEADER_LENGTH).map((text) =>
  text.trim(),
);
const queryText = hostile(SIGNS, HEADER_LENGTH / 3).map(encodeURIComponent);
const bodyText = hostile([...SIGNS, ...LINE_BREAKS], BODY_LENGTH);

const asReader = { 'X-API-Key': fleet.key };
const asWriter = { 'X-API-Key': writer };
const get = (path: string, headers = {}): Question => ({ path, headers: { ...asReader, ...headers } });
const post = (type: string, body: string, headers = {}): Question => ({
  method: 'POST',
  path: '/v1/telemetry',
  headers: { ...asWriter, 'Content-Type': type, ...headers },
  body,
});

const HEADERS = `
  Accept Accept-Encoding Accept-Language Authorization Content-Type Cookie If-Match If-Modified-Since If-None-Match Origin Range
  X-API-Key X-Forwarded-For X-Request-Id traceparent`
  .trim()
  .split(/\s+/);
const PARAMETERS = `
  /v1/fleet/tanks?q= /v1/fleet/tanks?sort= /v1/customers?email= /v1/tanks?page= /v1/tanks?created_at_gte= /v1/events?type=
  /v1/tanks? /v1/tanks/ / /docs/ /fleet/ /v1/tanks/${fleet.tankId}/telemetry/series?interval=
  /v1/tanks/${fleet.tankId}/telemetry?created_at_lte=`
  .trim()
  .split(/\s+/);
const CSV = 'tank_id,created_at,fill_percentage\n';

const question: fc.Arbitrary<Question> = fc.oneof(
  fc.tuple(fc.constantFrom(...HEADERS), headerText).map(([name, text]) => get('/v1/tanks', { [name]: text })),
  headerText.map((text) => post(text, '{}')),
  { weight: 3, arbitrary: parametersText.map((text) => post(`application/json${text}`, '{}')) },
  headerText.map((text) => post('text/csv', CSV, { 'Content-Encoding': text })),
  fc.tuple(fc.constantFrom(...PARAMETERS), queryText).map(([path, text]) => get(path + text)),
  bodyText.map((text) => post('text/csv', text)),
  bodyText.map((text) => post('text/csv', CSV + text)),
  bodyText.map((text) => post('text/csv', `${CSV}a,2026-01-01T00:00:00Z,${text}`)),
  bodyText.map((text) => post('text/csv', `${CSV}a,${text},1`)),
  bodyText.map((text) => post('application/x-ndjson', text)),
  bodyText.map((text) => post('application/json', text)),
  bodyText.map((text) =>
    post(
      'application/json',
      JSON.stringify({ readings: [{ tank_id: text, created_at: text, [text]: text }] }),
    ),
  ),
  bodyText.map((text) => ({ ...get('/v1/tanks'), ...formOf(text.slice(0, 10_000)) })),
);

function formOf(text: string): Partial<Question> {
  return { headers: { ...asReader, 'Content-Type': 'application/x-www-form-urlencoded' }, body: text };
}

async function statusOf(asked: Question): Promise<number | string> {
  const { status, error } = await ask(service.url, { ...asked, giveUpMs: PATIENCE_MS });
  return status ?? error ?? 'nothing';
}

describe('a text made to be hard to read', () => {
  it.each([
    ['a Content-Type of empty parameters', post(`application/json${';a=  '.repeat(40)}"`, '{}'), 415],
    ['one of blanks', post(`application/json;${' '.repeat(10_000)}x`, '{}'), 415],
    ['one of quoted ones', post(`application/json${';a="b"'.repeat(1_500)}"`, '{}'), 415],
    ['an Accept of blanks', get('/v1/tanks', { Accept: `text/csv;q${' '.repeat(10_000)}x` }), 200],
    ['a number of digits', post('text/csv', `${CSV}a,2026-01-01T00:00:00Z,${'1'.repeat(60_000)}x`), 400],
    ['a longer one', post('text/csv', `${CSV}a,2026-01-01T00:00:00Z,${'1'.repeat(1_000_000)}x`), 413],
    ['lines of open quotes', post('text/csv', CSV + '"a\n'.repeat(10_000)), 400],
  ])('is answered at once: %s', async (_, asked, status) => {
    expect(await statusOf(asked)).toBe(status);
  });

  it(
    'is answered within seconds, wherever it is put and whatever it is',
    async () => {
      const property = fc.asyncProperty(question, async (asked) => {
        const status = await statusOf(asked);
        expect(typeof status === 'number' && status < 500 ? 'answered' : status).toBe('answered');
      });
      // One that hangs answers nothing any more: no smaller example could be found.
      expect(await holds(property, REQUESTS, { endOnFailure: true })).toBe(true);
      await expectSound(service);
    },
    PROPERTY_TIMEOUT_MS,
  );
});
