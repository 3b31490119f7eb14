// The parameters of the lists: how they may be sent, what each may look like, and how a caller is told what to fix.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { createdAts, LISTS, type ListKind, momentsOf } from '../support/lists.js';
import { parameterProblem } from '../support/problems.js';

const service = await startService();
const { api } = service;

describe.each(LISTS)('the parameters of $name', (list) => {
  const newestFirst = momentsOf(5);
  beforeAll(() => list.fill(service, newestFirst));

  const answer = (query: string) => api.get(`${list.path}?${query}`);
  const withBody = (query: string, body: string) => answer(query).type('form').send(body);

  it('may come in the query string', async () => {
    const { body } = await answer('page=2&size=2').expect(200);

    expect(body).toMatchObject({ page: 2, size: 2 });
  });

  it('may come in a form body on a GET, as `curl -X GET -d` sends them', async () => {
    const { body } = await withBody('', `page=2&size=2&created_at_lte=${newestFirst[1]}`).expect(200);

    expect(createdAts(body)).toEqual(newestFirst.slice(3, 5));
    expect(body).toMatchObject({ page: 2, size: 2, total_items: 4, total_pages: 2 });
  });

  it('combine when some come in the query string and some in the body', async () => {
    const { body } = await withBody('page=2', 'size=2').expect(200);

    expect(body).toMatchObject({ page: 2, size: 2 });
  });

  it('are validated in a body as they are in the query string', async () => {
    const { body } = await withBody('page=0', 'size=101&colour=red').expect(400);

    expect(body).toMatchObject({
      errors: [{ parameter: 'colour' }, { parameter: 'page' }, { parameter: 'size' }],
    });
  });

  it('may come in a chunked body', async () => {
    const chunked = await service.raw({
      path: list.path,
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      chunks: ['size', '=3'],
    });

    expect(JSON.parse(chunked.text)).toMatchObject({ size: 3 });
  });

  it.each([
    ['in the query string', 'page=1&page=2', ''],
    ['in the query string, the same value', 'page=1&page=1', ''],
    ['in the body', '', 'page=1&page=2'],
    ['across both', 'page=1', 'page=1'],
    ['escaped once', 'page=1&%70age=2', ''],
  ])('may not be sent twice %s', async (_, query, form) => {
    const { body } = await withBody(query, form).expect(400);

    expect(body).toEqual(
      parameterProblem({ parameter: 'page', detail: 'was sent more than once; send it once' }),
    );
  });

  it.each([
    ['created_at_gt', 'created_at_gte'],
    ['created_at_lt', 'created_at_lte'],
    ['createdat_gte', 'created_at_gte'],
    ['CREATED_AT_GTE', 'created_at_gte'],
    ['pages', 'page'],
    ['Page', 'page'],
    ['page_', 'page'],
    ['page[]', 'page'],
    ['page[a]', 'page'],
    ['sizes', 'size'],
    ['siez', 'size'],
    ['created_gte', 'created_at_gte'],
  ])('are never guessed: %s is refused, and asked back whether %s was meant', async (name, meant) => {
    const { body } = await answer(`${name}=1`).expect(400);

    expect(body).toEqual(
      parameterProblem({
        parameter: name,
        detail: `is not a parameter of this list; did you mean ${meant}?`,
      }),
    );
  });

  it.each([
    'colour',
    'limit_of_things',
    '__proto__',
    'constructor',
    'pageNumber',
    'sort',
    'updated_at_gte',
    '',
  ])('are listed when %j is sent, which resembles none', async (name) => {
    const { body } = await answer(`${encodeURIComponent(name)}=1`).expect(400);

    const common = 'created_at_gte, created_at_lte, page, size';
    const own = { customers: ['email', 'q'], tanks: ['owner_id', 'custom_id', 'assigned_device_id'] }[
      list.name
    ];
    const all = [...common.split(', '), ...(own ?? [])].toSorted();
    const { errors } = body as { errors: { parameter: string; detail: string }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]?.parameter).toBe(name);
    const [, told] = /^is not a parameter of this list; there are: (.+)$/.exec(errors[0]?.detail ?? '') ?? [];
    expect(told?.split(', ').toSorted()).toEqual(all);
  });

  it('are named up to a hundred, and counted beyond', async () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `p${i}`);

    const { body, text } = await api
      .get(`${list.path}?${names.map((name) => `${name}=`).join('&')}`)
      .expect(400);

    expect(body).toMatchObject({
      code: 'invalid_parameters',
      detail: `Fix these parameters and try again: ${names.slice(0, 100).join(', ')} and 1900 more.`,
    });
    const { errors } = body as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter)).toEqual(names.slice(0, 100));
    expect(text.length).toBeLessThan(20_000);
  });

  it('are told all at once when several are bad', async () => {
    const { body } = await answer('page=0&size=500&created_at_gte=yesterday&created_at_lte=now&colour=red');

    expect(body).toMatchObject({ status: 400, code: 'invalid_parameters' });
    const { errors } = body as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual([
      'colour',
      'created_at_gte',
      'created_at_lte',
      'page',
      'size',
    ]);
  });

  it.each(['1', '2', '007', '100'])('allow page=%s', async (page) => {
    const { body } = await answer(`page=${page}`).expect(200);

    expect(body).toMatchObject({ page: Number(page) });
  });

  it.each(['1', '99', '100', '010'])('allow size=%s', async (size) => {
    const { body } = await answer(`size=${size}`).expect(200);

    expect(body).toMatchObject({ size: Number(size) });
  });

  const NOT_WHOLE = [
    '',
    '0',
    '00',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1.5',
    '1.0',
    '1e3',
    '0x1',
    '1_0',
    'one',
    '१',
    '1\n',
    'null',
  ];

  it.each(NOT_WHOLE)('refuse page=%j', async (page) => {
    const { body } = await answer(`page=${encodeURIComponent(page)}`).expect(400);

    const detail = `must be a whole number of at least 1, in plain digits, not ${JSON.stringify(page)}`;
    expect(body).toEqual(parameterProblem({ parameter: 'page', detail }));
  });

  it.each([...NOT_WHOLE, '101', '1000', '9'.repeat(30)])('refuse size=%j', async (size) => {
    const { body } = await answer(`size=${encodeURIComponent(size)}`).expect(400);

    const detail = `must be a whole number from 1 to 100, in plain digits, not ${JSON.stringify(size)}`;
    expect(body).toEqual(parameterProblem({ parameter: 'size', detail }));
  });

  it.each(['page', 'size', 'created_at_gte', 'created_at_lte'])('refuse %s without a value', async (name) => {
    const { body } = await answer(name).expect(400);

    expect(body).toMatchObject({ code: 'invalid_parameters', errors: [{ parameter: name }] });
  });

  it('are none when the query string is empty', async () => {
    const { body } = await answer('&&').expect(200);

    expect(body).toMatchObject({ page: 1, size: 10 });
  });
});

describe('the parameter email', () => {
  it.each(LISTS.filter(({ name }) => name !== 'customers'))('is unknown to $name', async (list) => {
    await list.fill(service, []);

    const { body } = await api.get(`${list.path}?email=ada@example.com`).expect(400);

    expect(body).toMatchObject({ code: 'invalid_parameters', errors: [{ parameter: 'email' }] });
  });

  it('is sought when it is misspelt', async () => {
    const { body } = await api.get('/v1/customers?emial=ada@example.com').expect(400);

    expect(body).toEqual(
      parameterProblem({
        parameter: 'emial',
        detail: 'is not a parameter of this list; did you mean email?',
      }),
    );
  });
});

describe.each(LISTS)('a datetime for $name', (list) => {
  const EVE = '2026-01-30T23:59:59.999Z';
  const MIDNIGHT = '2026-01-31T00:00:00.000Z';
  const BEFORE = '2026-01-31T08:15:30.122Z';
  const AT = '2026-01-31T08:15:30.123Z';
  const AFTER = '2026-01-31T08:15:30.124Z';
  const SECOND = '2026-01-31T08:15:31.000Z';
  const LAST = '2026-01-31T23:59:59.999Z';
  const MORROW = '2026-02-01T00:00:00.000Z';
  const all = [EVE, MIDNIGHT, BEFORE, AT, AFTER, SECOND, LAST, MORROW];
  beforeAll(() => list.fill(service, all));

  // How it is written, the oldest item it includes as gte, and the newest it includes as lte.
  const FORMS: readonly [string, string | undefined, string | undefined][] = [
    ['2026-01-31T08:15:30.123Z', AT, AT],
    ['2026-01-31t08:15:30.123z', AT, AT],
    ['2026-01-31T08:15:30.123', AT, AT],
    ['2026-01-31T08:15:30.12300Z', AT, AT],
    ['2026-01-31T08:15:30.1230000000000000000001Z', AFTER, AT],
    ['2026-01-31T08:15:30.1234Z', AFTER, AT],
    ['2026-01-31T08:15:30.1229999Z', AT, BEFORE],
    ['2026-01-31T08:15:30.9999Z', SECOND, AFTER],
    ['2026-01-31T08:15:31Z', SECOND, SECOND],
    ['2026-01-31T08:15:31', SECOND, SECOND],
    ['2026-01-31T08:15:30.1Z', BEFORE, MIDNIGHT],
    ['2026-01-31T08:15:30.123+00:00', AT, AT],
    ['2026-01-31T08:15:30.123-00:00', AT, AT],
    ['2026-01-31T10:15:30.123+02:00', AT, AT],
    ['2026-01-31T02:45:30.123-05:30', AT, AT],
    ['2026-02-01T07:15:30.123+23:00', AT, AT],
    ['2026-01-31T08:15', BEFORE, MIDNIGHT],
    ['2026-01-31T08:15Z', BEFORE, MIDNIGHT],
    ['2026-01-31T10:16+02:00', LAST, SECOND],
    ['2026-01-31', MIDNIGHT, LAST],
    ['2026-01-30', EVE, EVE],
    ['2026-02-01', MORROW, MORROW],
    ['0000-01-01T00:00:00Z', EVE, undefined],
    ['0001-01-01', EVE, undefined],
    ['9999-12-31T23:59:59.9999Z', undefined, MORROW],
    ['9999-12-31', undefined, MORROW],
    ['9999-12-31T23:59:59-23:59', undefined, MORROW],
    ['2024-02-29', EVE, undefined],
  ];

  it.each(FORMS)('may be written %s', async (written, oldest, newest) => {
    const since = oldest === undefined ? [] : all.slice(all.indexOf(oldest));
    const until = newest === undefined ? [] : all.slice(0, all.indexOf(newest) + 1);

    const gte = await api.get(list.path).query({ created_at_gte: written }).expect(200);
    const lte = await api.get(list.path).query({ created_at_lte: written }).expect(200);

    expect(createdAts(gte.body)).toEqual(since.toReversed());
    expect(gte.body).toMatchObject({ total_items: since.length });
    expect(createdAts(lte.body)).toEqual(until.toReversed());
    expect(lte.body).toMatchObject({ total_items: until.length });
  });

  it('covers a whole day when both bounds are that date', async () => {
    const { body } = await api.get(`${list.path}?created_at_gte=2026-01-31&created_at_lte=2026-01-31`);

    expect(createdAts(body)).toEqual([LAST, SECOND, AFTER, AT, BEFORE, MIDNIGHT]);
  });

  it.each(['+', ' ', '%20', '%2B', '%2b'])('may have its plus written %j', async (plus) => {
    const query = `created_at_gte=2026-01-31T10:15:30.123${plus}02:00`.replace(' ', '%20');

    const { body } = await api.get(`${list.path}?${query}`).expect(200);

    expect(createdAts(body)).toEqual([MORROW, LAST, SECOND, AFTER, AT]);
  });

  const IMPOSSIBLE = [
    '',
    'now',
    'today',
    'infinity',
    '-infinity',
    'epoch',
    '1767225600',
    '1767225600000',
    '2026',
    '2026-01',
    '20260131',
    '2026-1-31',
    '2026-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '2026-01-31T',
    '2026-01-31T08',
    '2026-01-31T08:60',
    '2026-01-31T08:15.5Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08:60:00Z',
    '2026-01-31T08:15:61Z',
    '2026-01-31T08:15:30.Z',
    '2026-01-31T08:15:30,5Z',
    '2026-01-31T08:15:30+24:00',
    '2026-01-31T08:15:30+02:60',
    '2026-01-31T08:15:30+0200',
    '2026-01-31T08:15:30+02',
    '2026-01-31T08:15:30ZZ',
    '2026-01-31 08:15:30Z',
    '2026-01-31Z',
    '2026-01-31+02:00',
    ' 2026-01-31',
    '2026-01-31\n',
    '12026-01-31',
    '-2026-01-31',
    '+002026-01-31',
    '31.01.2026',
    '01/31/2026',
    'Sat, 31 Jan 2026 08:15:30 GMT',
    '２０２６-01-31',
    '2026-01-31T08:15:30\u0000Z',
  ];

  it.each(IMPOSSIBLE)('may not be %j', async (impossible) => {
    const names = ['created_at_gte', 'created_at_lte'];
    const value = encodeURIComponent(impossible);

    const { body } = await api.get(`${list.path}?${names.map((name) => `${name}=${value}`).join('&')}`);

    const detail =
      'must be an ISO 8601 datetime such as 2026-01-31T08:15:30Z, 2026-01-31T08:15:30.123+02:00 or 2026-01-31, ' +
      `not ${JSON.stringify(impossible)}`;
    expect(body).toEqual(parameterProblem(...names.map((parameter) => ({ parameter, detail }))));
  });
});

describe.each<[string, string, Pick<ListKind, 'name'>]>([
  ['/v1/customers/:id', '/v1/customers/a', { name: 'customer' }],
  ['/v1/tanks/:id', '/v1/tanks/a', { name: 'tank' }],
])('GET %s', (_, path, { name }) => {
  it(`has no parameters: none is needed and none is read`, async () => {
    const { body } = await api.get(`${path}?page=0&colour=red`).expect(404);

    expect(body).toMatchObject({ detail: `There is no ${name} with this id.` });
  });
});
