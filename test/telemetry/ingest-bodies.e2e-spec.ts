// POST /v1/telemetry: which bodies are taken, in which order a request is refused, and where the route is.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { startService } from '../support/app.js';
import { insertFleet, NOON, post, reading, result, stored } from '../support/ingest.js';
import { problem } from '../support/problems.js';
import type { RawRequest } from '../support/raw.js';

const ACCEPT_POST = 'application/json, application/x-ndjson, application/jsonl, text/csv';

const service = await startService();
const { sql } = service;
const key = await service.createKey({ scopes: ['telemetry:write'] });
const sender = service.agent(key);

beforeEach(() => insertFleet(sql));

const line = (tank: string, fill = 50) => JSON.stringify(reading(tank, NOON, fill));
const json = (body: string) => ['application/json', body] as const;
const csv = (body: string) => ['text/csv', body] as const;

const GZIP = { encoding: 'gzip' };
const tooLarge = (detail: string) => problem(413, 'body_too_large', detail);
const spaced = (length: number) => gzipSync(`{"readings":[${line('a')}]}`.padEnd(length));
const inAMinute = (_: unknown, i: number) =>
  JSON.stringify({
    tank_id: 'a',
    created_at: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
    fill_percentage: 50,
  });

describe('a body', () => {
  it.each([
    ['application/x-ndjson', `${line('a')}\n\n  \n${line('b')}`],
    ['application/jsonl', `${line('a')}\r\n${line('b')}\r\n`],
    ['Application/JSON; charset="UTF-8"', `{"readings": [${line('a')}, ${line('b')}]}`],
    ['application/json;charset=utf-8', `\ufeff{"readings": [${line('a')}, ${line('b')}]}`],
    ['text/csv', `tank_id,created_at,fill_percentage\na,${NOON},50\nb,${NOON},50`],
    [
      'text/csv; header=present',
      `\ufefffill_percentage,created_at,tank_id\r\n50,${NOON},a\r\n\r\n50.0,${NOON},"b"\r\n`,
    ],
    [
      'text/csv',
      `object,device_id,tank_id,created_at,fill_percentage\n,,a,${NOON},50\ntelemetry,device-b,,${NOON},5e1`,
    ],
  ])('may be %s', async (type, body) => {
    expect((await post(sender, body, { type }).expect(200)).body).toStrictEqual(result({ created: 2 }));
    expect(await stored(sql)).toEqual({ [`a ${NOON}`]: 50, [`b ${NOON}`]: 50 });
  });

  it.each([
    ['no type', []],
    ['another type', [['Content-Type', 'application/x-www-form-urlencoded']]],
    ['another charset', [['Content-Type', 'application/json; charset=latin1']]],
  ] as const)('with %s is a 415 that tells what there is', async (_, headers) => {
    const body = `{"readings":[${line('a')}]}`;
    const answer = await service.raw({ method: 'POST', path: '/v1/telemetry', headers, body }, key);

    expect(answer.status).toBe(415);
    expect(answer.headers['accept-post']).toBe(ACCEPT_POST);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'unsupported_media_type' });
    expect(await stored(sql)).toEqual({});
  });

  it.each(['br', 'deflate', 'gzip, gzip', 'zstd'])(
    'encoded as %s is a 415 that says gzip',
    async (encoding) => {
      const { body, headers } = await post(sender, `{"readings":[${line('a')}]}`, { encoding }).expect(415);

      expect(headers['accept-encoding']).toBe('gzip');
      expect(body).toMatchObject({ code: 'unsupported_media_type' });
    },
  );

  it.each([
    ['empty', ...json('')],
    ['no JSON', ...json('{"readings": [')],
    ['a list', ...json(`[${line('a')}]`)],
    ['without readings', ...json('{}')],
    ['with an empty list', ...json('{"readings": []}')],
    ['with readings that are no list', ...json(`{"readings": {"0": ${line('a')}}}`)],
    ['with something besides', ...json(`{"readings": [${line('a')}], "atomic": true}`)],
    ['null', ...json('null')],
    ['nested 21 times', ...json(`{"readings":${'['.repeat(20)}${']'.repeat(20)}}`)],
    ['of over 40,000 arrays and objects', ...json(`{"readings":[[${'[],'.repeat(40_000)}0]]}`)],
    ['a million open brackets', ...json('['.repeat(1_000_000))],
    ['without a line', 'application/x-ndjson', '\n \r\n'],
    ['without CSV', ...csv('')],
    ['a CSV header alone', ...csv('tank_id,created_at,fill_percentage\n\n')],
    ['CSV with an unknown column', ...csv(`tank_id,created_at,fill_percentage,name\na,${NOON},50,x`)],
    ['CSV with a column twice', ...csv(`tank_id,tank_id,created_at,fill_percentage\na,a,${NOON},50`)],
    ['CSV without created_at', ...csv('tank_id,fill_percentage\na,50')],
    ['CSV without fill_percentage', ...csv(`tank_id,created_at\na,${NOON}`)],
    ['CSV without a tank', ...csv(`created_at,fill_percentage\n${NOON},50`)],
    ['CSV without a header', ...csv(`a,${NOON},50\nb,${NOON},50`)],
  ])('that is %s is malformed, and nothing is stored', async (_, type, body) => {
    const answer = await post(sender, body, { type }).expect(400);

    expect(answer.body).toMatchObject({ code: 'malformed_body' });
    expect(await stored(sql)).toEqual({});
  });

  it.each([
    ['not UTF-8', Buffer.from(`{"readings":[{"tank_id":"a\xe4"}]}`, 'latin1'), {}],
    ['no gzip', Buffer.from('{"readings":[]}'), GZIP],
    ['half a gzip', gzipSync(`{"readings":[${line('a')}]}`).subarray(0, 40), GZIP],
    ['an empty gzip', Buffer.alloc(0), GZIP],
    ['a damaged gzip', damaged(gzipSync(`{"readings":[${line('a')}]}`)), GZIP],
  ])('that is %s is malformed', async (_, body, sent) => {
    const answer = await post(sender, body, sent).expect(400);

    expect(answer.body).toMatchObject({ code: 'malformed_body' });
    expect(await stored(sql)).toEqual({});
  });

  it('of 10,000 readings of a full tank may be a gzip, small as it is', async () => {
    const readings = Array.from({ length: 10_000 }, inAMinute);

    const small = gzipSync(readings.join('\n'), { level: 9 });
    const { body } = await post(sender, small, { ...GZIP, type: 'application/x-ndjson' }).expect(200);
    expect(body).toMatchObject({ created: 10_000 });
  });

  it('of some kilobytes may grow as much as it does, and a larger one 100 times', async () => {
    await post(sender, spaced(65_536), { encoding: 'GZIP' }).expect(200);

    expect((await post(sender, spaced(65_537), GZIP).expect(400)).body).toMatchObject({
      code: 'malformed_body',
      detail:
        'The gzip grows to more than 100 times what was sent; send the body as it is, or each reading once.',
    });
  });

  it.each(['text/csv', 'application/x-ndjson'])(
    'of %s may have lines of 64 KiB, and no longer ones',
    async (type) => {
      const head = `a,${NOON},`;
      const body = (bytes: number) =>
        `tank_id,created_at,fill_percentage\n${head}${'1'.repeat(bytes - head.length)}\n`;
      expect((await post(sender, body(65_536), { type })).status).toBe(400);
      const detail = 'A line may have at most 65536 bytes; send one reading a line. Nothing was stored.';
      expect((await post(sender, body(65_537), { type }).expect(413)).body).toEqual(tooLarge(detail));
    },
  );

  const TWO_MIB = 2 * 1024 * 1024;
  it.each([
    ['too many bytes', `{"readings":[${line('a')}]}${' '.repeat(TWO_MIB)}`, {}],
    ['too many bytes when inflated', gzipSync(' '.repeat(TWO_MIB + 1)), GZIP],
    ['a gzip bomb', gzipSync(Buffer.alloc(30_000_000)), GZIP],
  ])('of %s is a 413, and nothing is stored', async (_, body, sent) => {
    const answer = await post(sender, body, sent).expect(413);

    const detail =
      'A body may have at most 2097152 bytes after decompression; send them in several requests. Nothing was stored.';
    expect(answer.body).toEqual(tooLarge(detail));
    expect(await stored(sql)).toEqual({});
  });

  it('may have 2 MiB to the byte', async () => {
    const readings = `{"readings":[${line('a')}]}`;

    const { status } = await post(sender, readings + ' '.repeat(TWO_MIB - readings.length));
    expect(status).toBe(200);
  });

  it.each([
    ['application/json', `{"readings":[${Array.from({ length: 10_001 }, () => '{}').join()}]}`],
    ['application/x-ndjson', '{}\n'.repeat(10_001)],
    ['text/csv', `no,header\n${'x\n'.repeat(10_001)}`],
  ])('of 10,001 readings as %s is a 413', async (type, body) => {
    const answer = await post(sender, body, { type }).expect(413);

    const detail =
      'A request may have at most 10000 readings; send them in several requests. Nothing was stored.';
    expect(answer.body).toEqual(tooLarge(detail));
  });
});

it.each([
  ['application/x-ndjson', '', line('a')],
  ['text/csv', 'tank_id,created_at,fill_percentage', `a,${NOON},50`],
])('lines of %s may be 100,000, of which most are empty', async (type, first, last) => {
  await post(sender, `${first}\n${'\r\n'.repeat(99_998)}${last}`, { type }).expect(200);

  const { body } = await post(sender, `${first}\n${'\n'.repeat(99_999)}${last}`, { type }).expect(413);
  const detail =
    'A request may have at most 100000 lines; send them in several requests. Nothing was stored.';
  expect(body).toEqual(tooLarge(detail));
});

function damaged(gzip: Buffer): Buffer {
  const copy = Buffer.from(gzip);
  copy.writeUInt8(copy.readUInt8(copy.length - 6) ^ 0xff, copy.length - 6); // its checksum
  return copy;
}

it('the order of refusals is key, scope, parameters, type, size, body', async () => {
  const reader = await service.createKey();
  const headers = [['Content-Type', 'application/json']] as const;
  const path = '/v1/telemetry?atomic=maybe';
  const body = ' '.repeat(3_000_000);
  const ask = async (asked: Partial<RawRequest>, as: string | null = key) => {
    const { text } = await service.raw({ method: 'POST', path: '/v1/telemetry', body, ...asked }, as);
    return (JSON.parse(text) as { code: string }).code;
  };

  expect(await ask({ path }, null)).toBe('missing_api_key');
  expect(await ask({ path }, reader)).toBe('insufficient_scope');
  expect(await ask({ path })).toBe('invalid_parameters');
  expect(await ask({})).toBe('unsupported_media_type');
  expect(await ask({ headers })).toBe('body_too_large');
  expect(await ask({ headers, body: 'x' })).toBe('malformed_body');
});
