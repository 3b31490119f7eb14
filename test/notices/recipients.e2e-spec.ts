// /v1/recipients: who is told by e-mail is managed over HTTP, confirms over a link, and unsubscribes with one click.
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Recipient } from 'tank-monitoring-client';
import type { Background } from '../../src/background/background.js';
import { until } from '../faults/support/until.js';
import { startService, type Agent } from '../support/app.js';
import { insertCustomers } from '../support/builders.js';
import { runProgram } from '../support/cli.js';
import { MailServer, mailTo } from '../support/mail-server.js';
import { pointersOf, tagOf } from '../support/manage.js';
import { problem } from '../support/problems.js';
import { startWorker } from '../support/worker.js';

const SECRET_KEY = randomBytes(32).toString('base64');
const ADDRESS = '/v1/recipients';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line) => logged.push(line) });
const mailServer = await MailServer.start();
const service = await startService({
  environment: {
    WEBHOOK_SECRET_KEY: SECRET_KEY,
    SMTP_URL: `smtp://tanks:s3cret-word@127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Tanks <tanks@example.com>',
    PUBLIC_URL: 'https://tanks.example.com',
    RATE_LIMIT_REQUESTS: '0',
  },
  logger,
});
const off = await startService({ environment: { WEBHOOK_SECRET_KEY: SECRET_KEY } });
const { sql } = service;
const CUSTOMERS = [
  { id: 'ours', name: 'Ours <b>', email: 'Boss@ours.example', is_verified: true },
  { id: 'theirs', email: 'boss@theirs.example' },
  { id: 'gone', deleted: true },
];
for (const each of [sql, off.sql]) await insertCustomers(each, CUSTOMERS);

const agentOf = async (of: typeof service, customerId: string | null = null): Promise<Agent> =>
  of.agent(await of.createKey({ scopes: ['recipients', 'activity'], customerId }));
const all = await agentOf(service);
const ours = await agentOf(service, 'ours');
let worker: Background | undefined;

afterAll(() => mailServer.stop());

beforeEach(async () => {
  await sql.query('delete from recipients; delete from address_history');
  mailServer.mails.length = 0;
  mailServer.answer = () => undefined;
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

const ask = (fields: object, as = all) => as.post(ADDRESS).send({ email: 'ada@example.com', ...fields });
const create = async (fields: object = {}, as = all): Promise<Recipient> =>
  (await ask(fields, as).expect(201)).body as Recipient;
/** Whose address needs no confirmation. */
const createKnown = (as = all) => create({ email: 'boss@ours.example', owner_id: 'ours' }, as);
const statusOf = async (id: string): Promise<string> =>
  ((await all.get(`${ADDRESS}/${id}`).expect(200)).body as Recipient).status;
const noticesOf = async (id: string, as = all): Promise<Record<string, unknown>[]> =>
  ((await as.get(`${ADDRESS}/${id}/notices`).expect(200)).body as { data: Record<string, unknown>[] }).data;

/** The path of the newest link to this address. */
async function linkTo(address: string): Promise<string> {
  worker ??= startWorker(sql, SECRET_KEY, logger, mailTo(mailServer, 'Tanks'));
  await until('the mail is there', () => mailServer.to(address).length > 0);
  const mail = mailServer.to(address).at(-1);
  return /https:\/\/tanks\.example\.com(\/mail\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
}
/** As a browser or a mail program asks: these pages are for people, and not in the OpenAPI document. */
async function page(
  path: string,
  init?: RequestInit,
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(service.url + path, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const press = (path: string, body: URLSearchParams | FormData = new URLSearchParams(ONE_CLICK)) =>
  page(path, { method: 'POST', body });

describe('POST', () => {
  it('makes a recipient that is unconfirmed, with the defaults, and its notice', async () => {
    const { body, headers } = await ask({}).expect(201);
    const { id } = body as Recipient;

    expect(body).toEqual({
      id: expect.any(String),
      object: 'recipient',
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
      email: 'ada@example.com',
      name: null,
      owner_id: null,
      events: ['tank.low', 'tank.silent'],
      daily_at: null,
      time_zone: 'UTC',
      language: 'en',
      paused: false,
      status: 'unconfirmed',
      confirmed_at: null,
      last_sent_at: null,
      reason: null,
    });
    expect(headers['location']).toBe(`${ADDRESS}/${id}`);
    const got = await all.get(`${ADDRESS}/${id}`).expect(200);
    expect(got.body).toEqual(body);
    expect(tagOf(got)).toBe(headers['etag']);
    expect(await noticesOf(id)).toEqual([
      {
        id: expect.any(String),
        object: 'notice',
        created_at: expect.stringMatching(INSTANT),
        recipient_id: id,
        kind: 'confirmation',
        subject: 'Please confirm: mails about tanks',
        event_ids: [],
        status: 'pending',
        attempts: 0,
        last_attempt_at: null,
        next_attempt_at: expect.stringMatching(INSTANT),
        reply: null,
        sent_at: null,
      },
    ]);
  });

  it('names every mistake at once', async () => {
    const body = {
      email: 'Ada <ada@example.com>',
      name: '',
      events: [],
      daily_at: '24:00',
      time_zone: 'Europe/Viena',
      language: 'fr',
      mail: 1,
    };
    const found = await all.post(ADDRESS).send(body).expect(400);
    expect(pointersOf(found)).toEqual(['/email', '/name', '/daily_at', '/time_zone', '/language', '/mail']);
    const { errors } = found.body as { errors: { detail: string }[] };
    expect(errors[3]?.detail).toContain('did you mean Europe/Vienna?');
  });

  it.each([
    ['a@b.example, c@d.example'],
    ['a@b.example(comment)'],
    ['"a b"@c.example'],
    ['ä@b.example'],
    ['a@b.example\r\nBcc: c@d.example'],
    [`${'a'.repeat(65)}@b.example`],
    [`${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(10)}`],
    ['a@-b.example'],
    ['@b.example'],
    [7],
  ])('takes one address only: not %j', async (email) => {
    const { body } = await ask({ email }).expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/email' }] });
  });

  it.each([
    [{ events: [] }, '/events'],
    [{ events: ['tank.low', 'tank.low'] }, '/events'],
    [{ events: ['tank.lo'] }, '/events'],
    [{ events: null }, '/events'],
    [{ owner_id: 'nobody' }, '/owner_id'],
    [{ owner_id: 'gone' }, '/owner_id'],
    [{ paused: true }, '/paused'],
    [{ id: 'mine' }, '/id'],
  ])('refuses %j', async (fields, pointer) => {
    const { body } = await ask(fields).expect(400);
    expect(body).toMatchObject({ code: 'invalid_fields', errors: [{ pointer }] });
  });

  it('has an address once for a customer, in any case, however many ask at once', async () => {
    const asked = await Promise.all(
      ['ada@example.com', 'ADA@example.com', 'Ada@Example.com'].map((email) => ask({ email })),
    );
    expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(asked.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'duplicate' });
    await create({ owner_id: 'ours' });
  });

  it('makes at most 100 for a customer, and as many without one', async () => {
    await sql.query(
      `insert into recipients (email, owner_id, events, time_zone, language)
       select 'n' || n || '@example.com', owner, '{tank.low}', 'UTC', 'en'
       from generate_series(1, 100) n cross join (values ('ours'), (null)) owners (owner)`,
    );
    for (const owner_id of ['ours', null]) {
      const { body } = await ask({ email: 'x@example.com', owner_id }).expect(409);
      expect(body).toMatchObject({ code: 'too_many' });
    }
    await create({ owner_id: 'theirs' });
  });

  it('needs no link for the address of a verified customer, given by a key of no customer', async () => {
    expect(await create({ email: 'boss@OURS.example', owner_id: 'ours' })).toMatchObject({
      status: 'active',
      confirmed_at: expect.stringMatching(INSTANT),
    });
    expect(await create({ email: 'boss@theirs.example', owner_id: 'theirs' })).toMatchObject({
      status: 'unconfirmed',
    });
    await sql.query('delete from recipients');
    expect(await create({ email: 'boss@ours.example' }, ours)).toMatchObject({ status: 'unconfirmed' });
  });

  it('sends at most three confirmations a day to an address, deleted recipients counted, and changes nothing beyond', async () => {
    for (const owner_id of ['ours', 'theirs', null]) {
      const { id } = await create({ owner_id });
      await all.delete(`${ADDRESS}/${id}`).expect(200, { id, object: 'recipient', deleted: true });
      await all.get(`${ADDRESS}/${id}`).expect(404);
    }
    const { body, headers } = await ask({ email: 'ADA@example.com' }).expect(429);
    expect(body).toMatchObject({ code: 'rate_limited' });
    expect(headers['retry-after']).toBeDefined();
    expect((await all.get(ADDRESS)).body).toMatchObject({ total_items: 0 });
    const { id } = await create({ email: 'bob@example.com' });
    await all.patch(`${ADDRESS}/${id}`).send({ email: 'ada@example.com' }).expect(429);
    expect((await all.get(`${ADDRESS}/${id}`)).body).toMatchObject({ email: 'bob@example.com' });
  });

  it('counts them by address also when the customer is erased', async () => {
    for (const id of ['first', 'second', 'third']) {
      await insertCustomers(sql, [{ id }]);
      await create({ owner_id: id });
      await sql.query('select erase_customer($1)', [id]);
    }
    await ask({ owner_id: 'ours' }).expect(429);
    const { rows } = await sql.query<{ kept: string }>(
      'select to_json(kept)::text as kept from address_history kept',
    );
    expect(rows.map(({ kept }) => kept).join()).not.toContain('ada');
  });

  it('sends at most 200 confirmations a day out for a customer', async () => {
    await sql.query(
      `insert into address_history (address, owner_id, what) select sha256(n::text::bytea), 'ours', 'asked' from generate_series(1, 200) n`,
    );
    await ask({ owner_id: 'ours' }).expect(429);
    expect(await create({ owner_id: 'theirs' })).toMatchObject({ status: 'unconfirmed' });
    expect(await create()).toMatchObject({ status: 'unconfirmed' });
  });
});

describe('a bound key', () => {
  it("sees and makes its own customer's recipients only", async () => {
    const [mine, others] = [await create({}, ours), await create({ owner_id: 'theirs' })];
    expect(mine).toMatchObject({ owner_id: 'ours' });
    await ask({ owner_id: null }, ours).expect(400);
    await ask({ owner_id: 'theirs' }, ours).expect(400);
    expect((await ours.get(ADDRESS)).body).toMatchObject({ total_items: 1, data: [{ id: mine.id }] });
    expect((await ours.get(`${ADDRESS}?owner_id=theirs`)).body).toMatchObject({ total_items: 0 });
    for (const request of [
      ours.get(`${ADDRESS}/${others.id}`),
      ours.patch(`${ADDRESS}/${others.id}`).send({ paused: true }),
      ours.delete(`${ADDRESS}/${others.id}`),
      ours.get(`${ADDRESS}/${others.id}/notices`),
      ours.post(`${ADDRESS}/${others.id}/confirmation`),
      ours.post(`${ADDRESS}/${others.id}/test`),
    ])
      expect((await request).body).toEqual(problem(404, 'not_found', 'There is no recipient with this id.'));
  });
});

describe('GET', () => {
  it('filters by customer, address and state', async () => {
    const one = await create({ owner_id: 'ours' });
    await create({ email: 'bob@example.com' });
    for (const filter of ['owner_id=ours', 'email=ADA@example.com&status=unconfirmed'])
      expect((await all.get(`${ADDRESS}?${filter}`)).body).toMatchObject({
        total_items: 1,
        data: [{ id: one.id }],
      });
    expect((await all.get(`${ADDRESS}?status=active`)).body).toMatchObject({ total_items: 0 });
    await all.get(`${ADDRESS}?status=asleep`).expect(400);
  });
});

describe('PATCH', () => {
  it('takes back what was read, changes what is given, and records it', async () => {
    const made = await create({ name: 'Ada' });
    const same = await all.patch(`${ADDRESS}/${made.id}`).send(made).expect(200);
    expect(same.body).toEqual(made);
    const { body } = await all
      .patch(`${ADDRESS}/${made.id}`)
      .set('If-Match', tagOf(same))
      .send({ daily_at: '06:30', time_zone: 'Europe/Vienna', language: 'de', paused: true, events: [] })
      .expect(200);
    expect(body).toMatchObject({
      daily_at: '06:30',
      language: 'de',
      paused: true,
      events: [],
      status: 'unconfirmed',
    });
    for (const [fields, pointer] of [
      [{ daily_at: null }, '/events'],
      [{ owner_id: 'ours' }, '/owner_id'],
      [{ events: ['tank.low'], name: 7 }, '/name'],
    ] as const)
      expect((await all.patch(`${ADDRESS}/${made.id}`).send(fields).expect(400)).body).toMatchObject({
        errors: [{ pointer }],
      });
    const { body: activity } = await all.get(`/v1/activity?type=recipient&object_id=${made.id}`).expect(200);
    expect(activity).toMatchObject({
      data: [
        { operation: 'update', object_name: 'Ada', changes: { paused: { from: false, to: true } } },
        { operation: 'create', object_name: 'Ada', changes: {} },
      ],
    });
  });

  it('starts over with another address, and not with the same in other case', async () => {
    const { id } = await createKnown();
    await all.patch(`${ADDRESS}/${id}`).send({ email: 'BOSS@ours.example' }).expect(200);
    expect(await statusOf(id)).toBe('active');
    const { body } = await all.patch(`${ADDRESS}/${id}`).send({ email: 'new@ours.example' }).expect(200);
    expect(body).toMatchObject({ status: 'unconfirmed', confirmed_at: null });
    expect(await noticesOf(id)).toMatchObject([{ kind: 'confirmation', status: 'pending' }]);
  });
});

describe('the confirmation', () => {
  it('is asked for by one mail, which holds nothing that a caller wrote but the name of the customer', async () => {
    await create({ owner_id: 'ours', name: 'Some Name' });
    await linkTo('ada@example.com');
    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({
      user: 'tanks',
      headers: {
        from: 'Tanks <tanks@example.com>',
        to: 'ada@example.com',
        subject: 'Please confirm: mails about the tanks of Ours <b>',
        'auto-submitted': 'auto-generated',
      },
    });
    expect(mail?.headers['list-unsubscribe']).toBeUndefined();
    expect(mail?.text).not.toContain('Some Name');
    expect(mail?.html).toContain('Ours &lt;b&gt;');
    expect(mail?.html).not.toMatch(/<(img|script|link)|Some Name|Ours <b>/);
  });

  it('changes nothing when its link is opened, and makes the recipient active when the button is pressed, once', async () => {
    const { id } = await create({ owner_id: 'ours' });
    const path = await linkTo('ada@example.com');
    const { status, text, headers } = await page(path);
    expect(status).toBe(200);
    expect(text).toContain('<form method="post"><button>Confirm</button></form>');
    expect(text).not.toContain('<script');
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(await statusOf(id)).toBe('unconfirmed');

    expect(await press(path)).toMatchObject({ status: 200 });
    const confirmed = (await all.get(`${ADDRESS}/${id}`)).body as Recipient;
    expect(confirmed).toMatchObject({ status: 'active', confirmed_at: expect.stringMatching(INSTANT) });
    expect(await press(path)).toMatchObject({ status: 200 });
    expect((await all.get(`${ADDRESS}/${id}`)).body).toEqual(confirmed);
    const { body } = await all.get(`/v1/activity?type=recipient&actor=confirm`).expect(200);
    expect(body).toMatchObject({
      total_items: 1,
      data: [
        { operation: 'confirm', owner_id: 'ours', actor: { kind: 'link', name: 'confirm' }, changes: {} },
      ],
    });
    const again = await all.post(`${ADDRESS}/${id}/confirmation`).expect(409);
    expect(again.body).toMatchObject({ code: 'already_confirmed' });
  });

  it('is a page that says so for a link that is wrong, of another purpose, or for another address by now', async () => {
    const { id } = await create();
    const path = await linkTo('ada@example.com');
    const last = path.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of [
      `${path.slice(0, -1)}${last}`,
      path.replace('/confirm/', '/unsubscribe/'),
      path.replace(id, 'unknown'),
      '/mail/confirm/x',
      '/mail/unsubscribe/%00',
    ]) {
      const [seen, pressed] = [await page(wrong), await press(wrong)];
      expect([seen.status, pressed.status]).toEqual([400, 400]);
      expect(seen.text).toContain('This link is not valid');
      expect(pressed.text).toBe(seen.text);
    }
    await all.patch(`${ADDRESS}/${id}`).send({ email: 'bob@example.com' }).expect(200);
    expect(await press(path)).toMatchObject({ status: 400 });
    const next = await linkTo('bob@example.com');
    await all.delete(`${ADDRESS}/${id}`).expect(200);
    expect(await press(next)).toMatchObject({ status: 400 });
  });

  it('is nowhere in the log, nor is an address or a password', async () => {
    await create();
    const path = await linkTo('ada@example.com');
    await page(path);
    expect(await press(path)).toMatchObject({ status: 200 });
    const ofLinks = () => logged.filter((line) => line.includes('/mail/confirm/:token'));
    await until('both are logged', () => ofLinks().length >= 2);
    const text = logged.join('');
    expect(text).not.toContain(path.slice(-40));
    expect(text).not.toContain('ada@example.com');
    expect(text).not.toContain('s3cret-word');
  });
});

/** The one-click link of a test mail. */
async function unsubscribeLink({ id, email }: Recipient): Promise<string> {
  const { body } = await all.post(`${ADDRESS}/${id}/test`).expect(200);
  expect(body).toEqual({ object: 'notice_test', sent: true, reply: expect.stringMatching(/^250/) });
  const link = mailServer.to(email).at(-1)?.headers['list-unsubscribe'] ?? '';
  return new URL(link.slice(1, -1)).pathname;
}
async function activeOne(): Promise<{ id: string; path: string }> {
  const known = await createKnown();
  return { id: known.id, path: await unsubscribeLink(known) };
}

describe('unsubscribing', () => {
  it('is one POST without a key, of either kind of form, and can be repeated', async () => {
    const { id, path } = await activeOne();
    const mail = mailServer.to('boss@ours.example').at(-1);
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.text).toContain(path);
    expect(mail?.html).toContain(path);
    expect((await page(path)).text).toContain('<button>Unsubscribe</button>');
    expect(await statusOf(id)).toBe('active');

    const form = new FormData();
    form.append('List-Unsubscribe', 'One-Click');
    expect(await press(path, form)).toMatchObject({ status: 200 });
    expect(await statusOf(id)).toBe('unsubscribed');
    const { body } = await all.get(`${ADDRESS}/${id}`);
    expect(await press(path)).toMatchObject({ status: 200 });
    expect((await all.get(`${ADDRESS}/${id}`)).body).toEqual(body);
    await all.patch(`${ADDRESS}/${id}`).send({ paused: true }).expect(200);
    expect(await statusOf(id)).toBe('unsubscribed');
    expect((await all.post(`${ADDRESS}/${id}/test`).expect(409)).body).toMatchObject({
      code: 'not_confirmed',
    });
  });

  it('is ended by a new confirmation only, also for whoever is made anew', async () => {
    const { id, path } = await activeOne();
    expect(await press(path)).toMatchObject({ status: 200 });
    await all.post(`${ADDRESS}/${id}/confirmation`).expect(200);
    expect(await statusOf(id)).toBe('unsubscribed');
    mailServer.mails.length = 0;
    expect(await press(await linkTo('boss@ours.example'))).toMatchObject({ status: 200 });
    expect(await statusOf(id)).toBe('active');
    expect(await press(path)).toMatchObject({ status: 200 });
    expect(await statusOf(id)).toBe('unsubscribed');
    await all.delete(`${ADDRESS}/${id}`).expect(200);
    expect(await createKnown()).toMatchObject({
      status: 'unconfirmed',
    });
  });

  it('that was pressed already waits for nobody who changes the recipient', async () => {
    const { id, path } = await activeOne();
    expect(await press(path)).toMatchObject({ status: 200 });
    const other = await sql.connect();
    await other.query('begin');
    await other.query('select from recipients where id = $1 for update', [id]);
    expect(await press(path)).toMatchObject({ status: 200 });
    await other.query('rollback');
    other.release();
  });

  it('ends the links of confirmations that were sent before', async () => {
    const made = await create();
    const confirm = await linkTo('ada@example.com');
    expect(await press(confirm)).toMatchObject({ status: 200 });
    expect(await press(await unsubscribeLink(made))).toMatchObject({ status: 200 });
    expect(await press(confirm)).toMatchObject({ status: 400 });
    expect(await statusOf(made.id)).toBe('unsubscribed');
  });
});

describe('a test', () => {
  it('is sent at most 5 times an hour, counts nowhere, and is listed', async () => {
    const { id } = await createKnown();
    const senders = await Promise.all(Array.from({ length: 4 }, () => agentOf(service))); // each has two at once
    const tests = await Promise.all(
      [...senders, ...senders].slice(1).map((sender) => sender.post(`${ADDRESS}/${id}/test`)),
    );
    const statuses = tests.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await noticesOf(id)).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ kind: 'test', status: 'sent', attempts: 1 })),
    );
    expect((await all.get(`${ADDRESS}/${id}`)).body).toMatchObject({ last_sent_at: null });
    await all.delete(`${ADDRESS}/${id}`).expect(200);
    const { id: again } = await createKnown();
    await all.post(`${ADDRESS}/${again}/test`).expect(429); // the address is the same
  });

  it('tells what the server said when it failed', async () => {
    const { id } = await createKnown();
    mailServer.answer = (step) =>
      step === 'rcpt' ? '550 5.1.1 no such user at 127.0.0.1 s3cret-word' : undefined;
    const { body } = await all.post(`${ADDRESS}/${id}/test`).expect(200);
    mailServer.answer = () => undefined;
    expect(body).toEqual({ object: 'notice_test', sent: false, reply: '550 5.1.1 no such user at … …' });
    expect(await statusOf(id)).toBe('active');
    expect(await noticesOf(id)).toMatchObject([
      { kind: 'test', status: 'failed', reply: '550 5.1.1 no such user at … …' },
    ]);
  });
});

describe('a restored copy', () => {
  it('says so, and sends only once the operator resumes it', async () => {
    const { id } = await createKnown();
    const test = async () => (await all.post(`${ADDRESS}/${id}/test`).expect(200)).body as object;
    await sql.query(`update notice_state set made_in = 'another database'`);
    await create();
    expect(await test()).toMatchObject({ sent: false, reply: expect.stringContaining('webhooks resume') });

    const environment = { DATABASE_URL: service.database.url, WEBHOOK_SECRET_KEY: SECRET_KEY };
    const { stderr } = await runProgram(environment, '', 'webhooks', 'resume');
    expect(stderr).toContain('Mails are sent from here; 1 pending mail sent, perhaps for the second time.');
    expect(await test()).toMatchObject({ sent: true });
    expect(mailServer.mails).toHaveLength(1);
    await linkTo('ada@example.com');
  });
});

describe('without a mail server', () => {
  it('everything answers, and notices are off for good', async () => {
    const without = await agentOf(off);
    const { id } = await create({}, without);
    const known = await createKnown(without);
    expect(await noticesOf(id, without)).toMatchObject([
      { kind: 'confirmation', status: 'off', next_attempt_at: null },
    ]);
    const tested = await without.post(`${ADDRESS}/${known.id}/test`).expect(200);
    expect(tested.body).toEqual({
      object: 'notice_test',
      sent: false,
      reply: expect.stringContaining('mail is off'),
    });
    expect(await noticesOf(known.id, without)).toMatchObject([{ kind: 'test', status: 'off', attempts: 0 }]);
  });
});
