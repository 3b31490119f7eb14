// The parameters of the lists: how they may be sent, what each may look like, and how a caller is told what to fix. The rules are the
// same for all lists, and shown on one.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { createdAts, LISTS, momentsOf } from '../support/lists.js';
import { hasParameters, operationsOf } from '../support/operations.js';
import { parameterProblem } from '../support/problems.js';

const service = await startService();
const { api } = service;
const everyScope = await service.createKey({ scopes: SCOPES });

const OWN: Readonly<Record<string, readonly string[]>> = {
  customers: ['email', 'q'],
  tanks: ['owner_id', 'custom_id', 'assigned_device_id'],
};

describe.each(LISTS)('the parameters of $name', (list) => {
  const newestFirst = momentsOf(5);
  beforeAll(() => list.fill(service, newestFirst));

  it('may come in the query string and in a form body, as `curl -X GET -d` sends them', async () => {
    const { body } = await api
      .get(`${list.path}?page=2`)
      .type('form')
      .send(`size=2&created_at_lte=${newestFirst[1]}`)
      .expect(200);

    expect(createdAts(body)).toEqual(newestFirst.slice(3, 5));
    expect(body).toMatchObject({ page: 2, size: 2, total_items: 4, total_pages: 2 });
  });

  it('are listed when one is sent that resembles none', async () => {
    const { body } = await api.get(`${list.path}?updated_at_gte=1`).expect(400);

    const { errors } = body as { errors: { parameter: string; detail: string }[] };
    expect(errors.map(({ parameter }) => parameter)).toEqual(['updated_at_gte']);
    const [, told] = /^is not a parameter of this list; there are: (.+)$/.exec(errors[0]?.detail ?? '') ?? [];
    const common = ['created_at_gte', 'created_at_lte', 'page', 'size'];
    expect(told?.split(', ').toSorted()).toEqual([...common, ...(OWN[list.name] ?? [])].toSorted());
  });
});

const [CUSTOMERS] = LISTS;
if (CUSTOMERS === undefined) throw new Error('There is a list of customers.');
const PATH = CUSTOMERS.path;
const answer = (query: string) => api.get(`${PATH}?${query}`);

describe('the parameters of a list', () => {
  beforeAll(() => CUSTOMERS.fill(service, []));

  it('are validated in a body as they are in the query string, and told all at once', async () => {
    const { body } = await answer('page=0&created_at_gte=yesterday')
      .type('form')
      .send('size=101&colour=red&created_at_lte=now')
      .expect(400);

    const { errors } = body as { errors: { parameter: string }[] };
    const wrong = ['colour', 'created_at_gte', 'created_at_lte', 'page', 'size'];
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual(wrong);
  });

  it.each([
    ['in the query string', 'page=1&page=1', ''],
    ['in the body', '', 'page=1&page=2'],
    ['across both', 'page=1', 'page=1'],
    ['escaped once', 'page=1&%70age=2', ''],
  ])('may not be sent twice %s', async (_, query, form) => {
    const { body } = await answer(query).type('form').send(form).expect(400);

    const detail = 'was sent more than once; send it once';
    expect(body).toEqual(parameterProblem({ parameter: 'page', detail }));
  });

  it.each([
    ['created_at_gt', 'created_at_gte'],
    ['created_at_lt', 'created_at_lte'],
    ['CREATED_AT_GTE', 'created_at_gte'],
    ['page[]', 'page'],
    ['siez', 'size'],
    ['emial', 'email'],
  ])('are never guessed: %s is refused, and asked back whether %s was meant', async (parameter, meant) => {
    const { body } = await answer(`${parameter}=1`).expect(400);

    const detail = `is not a parameter of this list; did you mean ${meant}?`;
    expect(body).toEqual(parameterProblem({ parameter, detail }));
  });

  it.each([
    ['page=007&size=1', 7, 1],
    ['page=100&size=0100', 100, 100],
    ['&&', 1, 10],
  ])('may be %s', async (query, page, size) => {
    expect((await answer(query).expect(200)).body).toMatchObject({ page, size });
  });

  const NOT_WHOLE = ['', '0', '00', '-1', '+1', ' 1', '1 ', '1.0', '1e3', '0x1', '1_0', 'one', '१', '1\n'];
  it.each(NOT_WHOLE)('refuse %j as page and size', async (value) => {
    const { body } = await api.get(PATH).query({ page: value, size: value }).expect(400);

    const digits = `in plain digits, not ${JSON.stringify(value)}`;
    expect(body).toEqual(
      parameterProblem(
        { parameter: 'page', detail: `must be a whole number of at least 1, ${digits}` },
        { parameter: 'size', detail: `must be a whole number from 1 to 100, ${digits}` },
      ),
    );
  });
});

describe('a datetime', () => {
  const EVE = '2026-01-30T23:59:59.999Z';
  const MIDNIGHT = '2026-01-31T00:00:00.000Z';
  const BEFORE = '2026-01-31T08:15:30.122Z';
  const AT = '2026-01-31T08:15:30.123Z';
  const AFTER = '2026-01-31T08:15:30.124Z';
  const SECOND = '2026-01-31T08:15:31.000Z';
  const LAST = '2026-01-31T23:59:59.999Z';
  const MORROW = '2026-02-01T00:00:00.000Z';
  const all = [EVE, MIDNIGHT, BEFORE, AT, AFTER, SECOND, LAST, MORROW];
  beforeAll(() => CUSTOMERS.fill(service, all));

  // How it is written, the oldest item it includes as gte, and the newest it includes as lte. What else can be read is in
  // src/common/datetime.
  const FORMS: readonly [string, string | undefined, string | undefined][] = [
    ['2026-01-31T08:15:30.1230000000000000000001Z', AFTER, AT],
    ['2026-01-31T08:15:30.1229999Z', AT, BEFORE],
    ['2026-01-31T08:15:30.9999Z', SECOND, AFTER],
    ['2026-01-31T10:15:30.123+02:00', AT, AT],
    ['2026-01-31', MIDNIGHT, LAST],
    ['2026-01-30', EVE, EVE],
    ['0001-01-01', EVE, undefined],
    ['9999-12-31', undefined, MORROW],
    ['9999-12-31T23:59:59-23:59', undefined, MORROW],
  ];

  it.each(FORMS)('may be written %s', async (written, oldest, newest) => {
    const since = oldest === undefined ? [] : all.slice(all.indexOf(oldest));
    const until = newest === undefined ? [] : all.slice(0, all.indexOf(newest) + 1);

    const gte = await api.get(PATH).query({ created_at_gte: written }).expect(200);
    const lte = await api.get(PATH).query({ created_at_lte: written }).expect(200);

    expect(createdAts(gte.body)).toEqual(since.toReversed());
    expect(gte.body).toMatchObject({ total_items: since.length });
    expect(createdAts(lte.body)).toEqual(until.toReversed());
    expect(lte.body).toMatchObject({ total_items: until.length });
  });

  it.each(['+', '%20', '%2B'])('may have its plus written %j', async (plus) => {
    const { body } = await answer(`created_at_gte=2026-01-31T10:15:30.123${plus}02:00`).expect(200);

    expect(createdAts(body)).toEqual([MORROW, LAST, SECOND, AFTER, AT]);
  });
});

it.each(['customer', 'tank'])('an object has no parameters, so none is read: %s', async (name) => {
  const { body } = await api.get(`/v1/${name}s/a?page=0&colour=red`).expect(404);

  expect(body).toMatchObject({ detail: `There is no ${name} with this id.` });
});

/** What senders of uplinks say may be any text. */
const ANY_TEXT = new Set(['event', 'confirmationToken']);

it.each(operationsOf(service.document, 'x').filter(hasParameters))(
  'no parameter may be empty, and each that is wrong is named: $method $template',
  async ({ method, path, documented }) => {
    const given = documented.parameters.filter((one) => one.in === 'query' && !ANY_TEXT.has(one.name));
    const names = given.map(({ name }) => name);
    const query = names.map((name) => `${name}=`).join('&');
    const { status, text } = await service.raw({ method, path: `${path}?${query}` }, everyScope);

    const { errors } = JSON.parse(text) as { errors: { parameter: string }[] };
    expect([status, new Set(errors.map(({ parameter }) => parameter))]).toEqual([400, new Set(names)]);
  },
);
