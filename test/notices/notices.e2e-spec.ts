// Mails of events and of the day: what is in them, when they go, and what becomes of those that a server does not take. Waits are
// shortened in the database: nobody sleeps.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Notice } from 'tank-monitoring-client';
import type { Background } from '../../src/background/background.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomers, insertTanks } from '../support/builders.js';
import { MailServer, mailTo, type Answer, type ReceivedMail } from '../support/mail-server.js';
import { PUBLIC_URL, startWorker } from '../support/worker.js';

const SECRET_KEY = randomBytes(32).toString('base64');
const ADDRESS = '/v1/recipients';
const service = await startService({ environment: { WEBHOOK_SECRET_KEY: SECRET_KEY } });
const { sql } = service;
const all = service.agent(await service.createKey({ scopes: ['recipients'] }));
const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line) => logged.push(line) });

let mailServer: MailServer;
const workers: Background[] = [];
const work = (): void => {
  workers.push(startWorker(sql, SECRET_KEY, logger, mailTo(mailServer)));
};
const rest = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));

const TANK = {
  id: 'boiler',
  name: 'Boiler house',
  custom_id: 'B-2',
  capacity: 2700,
  min_fill_alert_percentage: 20,
  street: 'Am Berg',
  street_number: '1',
  postal_code: '8010',
  city: 'Graz',
};

beforeEach(async () => {
  await sql.query(
    'delete from events; delete from recipients; delete from address_history; update notice_state set server_failing_since = null',
  );
  await clear(sql);
  await insertCustomers(sql, [
    { id: 'ours', name: 'Brauhaus', phone: '+43 316 1' },
    { id: 'theirs', name: 'Other' },
  ]);
  await insertTanks(sql, [aTank('ours', TANK), aTank('theirs', { id: 'other', name: 'Elsewhere' })]);
  logged.length = 0;
  mailServer = await MailServer.start();
});
afterEach(async () => {
  await rest();
  await mailServer.stop();
});

async function recipient(email: string, fields: Record<string, unknown> = {}): Promise<string> {
  const given = {
    events: ['tank.low', 'tank.silent', 'tank.recovered', 'tank.refilled', 'tank.reporting'],
    time_zone: 'UTC',
    language: 'en',
    ...fields,
  };
  const { rows } = await sql.query<{ id: string }>(
    `insert into recipients (email, owner_id, events, time_zone, language, daily_at, next_daily_at, confirmed_at, active_since)
     select $1, owner_id, events, time_zone, language, daily_at, next_daily_at, now(), now() - interval '1 minute'
     from jsonb_populate_record(null::recipients, $2) returning id`,
    [email, given],
  );
  return rows[0]?.id ?? '';
}

interface Happening {
  readonly id: string;
  readonly type?: string;
  readonly tank?: string;
  readonly owner?: string;
  readonly name?: string;
  readonly level?: number;
  readonly at?: string;
}

/** As the background work records them. */
async function happen(...events: readonly Happening[]): Promise<void> {
  for (const happening of events) {
    const { id, type = 'tank.low', tank = 'boiler', owner = 'ours', at = null } = happening;
    const { name = 'Boiler house', level = 18.2 } = happening;
    const data = {
      reading: { created_at: '2026-10-31T18:00:00.000Z', fill_percentage: level },
      before: null,
      min_fill_alert_percentage: 20,
      silent_after_seconds: 10_800,
      tank: { name, custom_id: 'B-2', capacity: 2700, capacity_unit: 'liters' },
      owner: { name: 'Brauhaus', email: 'x@example.com' },
      location: { street: 'Am Berg', street_number: '1', postal_code: '8010', city: 'Graz' },
    };
    await sql.query(
      `insert into events (id, type, created_at, tank_id, owner_id, data) values ($1, $2, coalesce($6::timestamptz, clock_timestamp()), $3, $4, $5)`,
      [id, type, tank, owner, JSON.stringify(data), at],
    );
  }
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const between = (from?: string | null, to?: string | null): number =>
  Date.parse(to ?? '') - Date.parse(from ?? '');
const noticesOf = async (id: string): Promise<Notice[]> =>
  ((await all.get(`${ADDRESS}/${id}/notices`).expect(200)).body as { data: Notice[] }).data;
const statusOf = async (id: string): Promise<{ readonly status: string }> =>
  (await all.get(`${ADDRESS}/${id}`).expect(200)).body as { status: string };
const reach = (what: string, id: string, isSo: (notices: Notice[]) => boolean) =>
  until(what, async () => isSo(await noticesOf(id)));
/** What waits is due. */
const hurry = () =>
  sql.query(`update notices set next_attempt_at = now() where status = 'pending' and claimed_by is null`);
/** In both forms of a mail. */
function expectToHold(mail: ReceivedMail | undefined, ...parts: readonly string[]): void {
  for (const part of parts) for (const form of [mail?.text, mail?.html]) expect(form).toContain(part);
}
const knownEvents = (id: string, n: number) =>
  reach('the events are noticed', id, ([first]) => first?.event_ids.length === n);

describe('a mail of events', () => {
  it('goes a minute after the first, with all that came meanwhile, in both forms', async () => {
    const id = await recipient('ada@example.com', { owner_id: 'ours' });
    work();
    await happen({ id: 'e1' });
    await knownEvents(id, 1);
    const [first] = await noticesOf(id);
    expect(first).toMatchObject({
      kind: 'events',
      subject: 'Boiler house is low: 18 %',
      status: 'pending',
      attempts: 0,
    });
    const wait = between(first?.created_at, first?.next_attempt_at);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
    await happen({ id: 'e2', type: 'tank.silent', level: 18 }, { id: 'e3', owner: 'theirs', tank: 'other' });
    await knownEvents(id, 2);
    await hurry();
    await until('it is there', () => mailServer.mails.length === 1);
    await reach('it is sent', id, ([one]) => one?.status === 'sent');

    expect(await noticesOf(id)).toMatchObject([
      {
        event_ids: ['e1', 'e2'],
        subject: '1 tank is low, 1 is silent',
        attempts: 1,
        reply: expect.stringMatching(/^250/),
        next_attempt_at: null,
      },
    ]);
    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({
      to: 'ada@example.com',
      headers: {
        subject: '1 tank is low, 1 is silent',
        'auto-submitted': 'auto-generated',
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
        'list-unsubscribe': expect.stringMatching(
          /^<https:\/\/tanks\.example\.com\/mail\/unsubscribe\/\S+>$/,
        ),
        'content-type': expect.stringContaining('multipart/alternative'),
      },
    });
    expectToHold(
      mail,
      'Boiler house is low: 18 %',
      'Boiler house is silent',
      'B-2 · Brauhaus · Am Berg 1, 8010 Graz',
      'alert at 20 %',
      `${PUBLIC_URL}/fleet?tank=boiler`,
      'You get this mail because you are told about the tanks of Brauhaus.',
    );
    expect(mail?.html).not.toMatch(/<img|src=|<script/);
    expect(logged.join('')).not.toContain('ada@example.com');
  });

  it('goes not within 5 minutes of the last one, nor while that one is pending', async () => {
    const id = await recipient('ada@example.com');
    mailServer.answer = (step) => (step === 'rcpt' ? '451 4.7.1 later' : undefined);
    work();
    await happen({ id: 'e1' });
    await knownEvents(id, 1);
    await hurry();
    await reach('it is refused for now', id, ([one]) => one?.reply === '451 4.7.1 later');
    await happen({ id: 'e2', type: 'tank.recovered', level: 60 });
    await reach('the next is open', id, (notices) => notices.length === 2);
    await sql.query(`update notices set next_attempt_at = now() where attempts = 0`);
    mailServer.answer = () => undefined;
    await sql.query(`update notices set next_attempt_at = now() where attempts > 0 and claimed_by is null`);
    await reach('the first is sent', id, ([, one]) => one?.status === 'sent');

    const [next] = await noticesOf(id);
    expect(next).toMatchObject({
      event_ids: ['e2'],
      subject: 'Boiler house has recovered: 60 %',
      status: 'pending',
      attempts: 0,
    });
    expect(Date.parse(next?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(200_000);
    expect(mailServer.mails.map(({ headers }) => headers['subject'])).toEqual(['Boiler house is low: 18 %']);
  });

  it('is one for ten thousand, with 50 lines, and tells of tanks by type', async () => {
    const id = await recipient('ada@example.com', { events: ['tank.silent', 'tank.low'] });
    await sql.query(
      `insert into events (id, type, created_at, tank_id, owner_id, data)
       select 'e' || lpad(n::text, 5, '0'), 'tank.silent', clock_timestamp(), 'tank ' || n, 'ours',
              '{"reading":{"created_at":"2026-10-31T18:00:00.000Z","fill_percentage":40},"before":null,"min_fill_alert_percentage":20,"silent_after_seconds":1,"tank":{"name":"T","custom_id":null},"owner":{"name":null,"email":null},"location":{}}'
       from generate_series(1, 10000) n`,
    );
    work();
    await knownEvents(id, 50);
    await hurry();
    await until('it is there', () => mailServer.mails.length === 1);
    expect(mailServer.mails[0]?.headers['subject']).toBe('10000 tanks are silent');
    expect(mailServer.mails[0]?.text).toContain('and 9950 more');
    expect(mailServer.mails[0]?.text.match(/^\* /gm)).toHaveLength(50);
  });

  it('tells only what was recorded while it was active, in the last 24 hours, of its types', async () => {
    const id = await recipient('ada@example.com', { events: ['tank.low'] });
    await happen({ id: 'old', at: ago(25 * 60) }, { id: 'before', at: ago(2) });
    await happen({ id: 'other', type: 'tank.silent' }, { id: 'e1' });
    work();
    await knownEvents(id, 1);
    expect(await noticesOf(id)).toMatchObject([{ event_ids: ['e1'] }]);
  });

  it('holds no header, markup or link out of names, and only what the event holds of a tank that moved', async () => {
    const name = `=?utf-8?q?x?=\r\nBcc: eve@example.com <script>alert(1)</script> \u202Ehttps://evil.example ${'x'.repeat(10_000)}`;
    await recipient('ada@example.com', { owner_id: 'ours' });
    await happen({ id: 'e1', name });
    await sql.query(`update tanks set owner_id = 'theirs', name = 'Secret of theirs' where id = 'boiler'`);
    work();
    await until('it is noticed', async () => (await sql.query('select from notices')).rows.length === 1);
    await hurry();
    await until('it is there', () => mailServer.mails.length === 1);
    const mail = mailServer.mails[0];
    expect(mail?.headers['bcc']).toBeUndefined();
    expect(mail?.headers['subject']).toMatch(
      /^=\?utf-8\?q\?x\?= Bcc: eve@example\.com <script>.* https: \/\/evil\.example x+… is low: 18 %$/,
    );
    expect(mail?.html).not.toContain('<script>');
    for (const part of [mail?.text, mail?.html]) {
      expect(part).not.toContain('https://evil');
      expect(part).not.toContain('\u202E');
      expect(part).not.toContain('Secret of theirs');
      expect(part).not.toContain('fleet?tank=');
      expect(part).not.toContain('x'.repeat(101));
    }
  });

  it('is not sent to whoever was paused meanwhile: what was pending failed', async () => {
    const id = await recipient('ada@example.com');
    work();
    await happen({ id: 'e1' });
    await knownEvents(id, 1);
    await all.patch(`${ADDRESS}/${id}`).send({ paused: true }).expect(200);
    expect(await noticesOf(id)).toMatchObject([{ status: 'failed', reply: 'the recipient is paused' }]);
    await happen({ id: 'e2' });
    await all.patch(`${ADDRESS}/${id}`).send({ paused: false }).expect(200);
    await happen({ id: 'e3', type: 'tank.silent' });
    await reach('the next is open', id, (notices) => notices.length === 2);
    expect(await noticesOf(id)).toMatchObject([{ event_ids: ['e3'] }, { event_ids: ['e1'] }]);
  });

  it("waits while the recipient's customer is deleted", async () => {
    const id = await recipient('ada@example.com', { owner_id: 'ours' });
    work();
    await happen({ id: 'e1' });
    await knownEvents(id, 1);
    await sql.query(`update customers set deleted = true where id = 'ours'`);
    await hurry();
    const other = await recipient('bob@example.com');
    await happen({ id: 'e2', owner: 'theirs', tank: 'other' });
    await knownEvents(other, 1);
    await hurry();
    await until('the other is there', () => mailServer.mails.length === 1);
    expect(mailServer.mails[0]?.to).toBe('bob@example.com');
    await sql.query(`update customers set deleted = false where id = 'ours'`);
    await until('it goes on', () => mailServer.to('ada@example.com').length === 1);
  });
});

const oneDue = async (email = 'ada@example.com'): Promise<string> => {
  const id = await recipient(email);
  await happen({ id: `event of ${email}` });
  if (workers.length === 0) work();
  await knownEvents(id, 1);
  await hurry();
  return id;
};

const isServerFailing = async (): Promise<boolean> =>
  (await sql.query('select from notice_state where server_failing_since is not null')).rows.length === 1;

describe('a mail that is not taken', () => {
  it.each([
    ['rcpt', '550 5.1.1 unknown', 'failed'],
    ['rcpt', '450 4.2.0 greylisted', 'pending'],
    ['login', '535 5.7.8 wrong password', 'pending'],
    ['data', 'die', 'pending'],
  ] as const)('at %s with %s is %s', async (step, answer, status) => {
    mailServer.answer = (asked) => (asked === step ? answer : undefined);
    const id = await oneDue();
    await reach('it was tried', id, ([one]) => one?.attempts === 1 && one.reply !== null);
    const [notice] = await noticesOf(id);
    expect(notice).toMatchObject({ status });
    expect(notice?.reply).not.toMatch(/127\.0\.0\.1|s3cret/);
    expect(notice?.reply).toContain(answer === 'die' ? 'ended' : answer.split(' ').at(-1));
    const wait = between(notice?.last_attempt_at, notice?.next_attempt_at);
    expect(status === 'pending' ? Math.abs(wait - 60_000) < 30_000 : Number.isNaN(wait)).toBe(true);
  });

  it('three times in a row for good makes the recipient failing, until a new confirmation', async () => {
    const id = await recipient('ada@example.com');
    mailServer.answer = (step) => (step === 'rcpt' ? '550 5.1.1 unknown' : undefined);
    work();
    for (const n of [1, 2, 3]) {
      await happen({ id: `e${n}` });
      await reach('it is noticed', id, (notices) => notices.length === n);
      await hurry();
      await reach('it is refused', id, ([one]) => one?.status === 'failed');
    }
    await until('it is failing', async () => (await statusOf(id)).status === 'failing');
    expect(await statusOf(id)).toMatchObject({ status: 'failing', reason: '550 5.1.1 unknown' });
    mailServer.answer = () => undefined;
    await happen({ id: 'e4' });
    const other = await recipient('bob@example.com');
    await happen({ id: 'e5' });
    await reach('another is told', other, (notices) => notices.length === 1);
    expect(await noticesOf(id)).toHaveLength(3);

    await all.post(`${ADDRESS}/${id}/confirmation`).expect(200);
    expect(await statusOf(id)).toMatchObject({ status: 'failing' });
    await sql.query(`update notices set status = 'pending', next_attempt_at = now() where status = 'off'`);
    await until('the link is there', () => mailServer.to('ada@example.com').length === 1);
    const [path] = /\/mail\/confirm\/\S+/.exec(mailServer.mails[0]?.text ?? '') ?? [];
    await fetch(`${service.url}${path}`, { method: 'POST' });
    expect(await statusOf(id)).toMatchObject({ status: 'active', reason: null });
    await happen({ id: 'e6' });
    await reach('it is told again', id, ([one]) => one?.event_ids[0] === 'e6');
  });

  it("by the server's own fault counts against nobody, and goes when the next mail gets through", async () => {
    mailServer.answer = (step) => (step === 'login' ? '535 5.7.8 wrong password' : undefined);
    const waiting = await oneDue();
    await reach('it waits', waiting, ([one]) => one?.reply?.startsWith('535') === true);
    expect(await isServerFailing()).toBe(true);
    mailServer.answer = () => undefined;
    const second = await recipient('bob@example.com', { events: ['tank.silent'] });
    await happen({ id: 'e2', type: 'tank.silent' });
    await knownEvents(second, 1);
    await sql.query(`update notices set next_attempt_at = now() where recipient_id = $1`, [second]);
    await until('both are there', () => mailServer.mails.length === 2);
    expect(mailServer.mails.map(({ to }) => to)).toEqual(['bob@example.com', 'ada@example.com']);
    await until('it works again', async () => !(await isServerFailing()));
    expect(await statusOf(waiting)).toMatchObject({ status: 'active' });
  });

  it('holds up nobody else, however many hang', async () => {
    mailServer.answer = (step, address) =>
      step === 'rcpt' && address.startsWith('slow') ? 'hang' : undefined;
    work();
    for (let i = 0; i < 5; i += 1) await oneDue(`slow${i}@example.com`);
    const hanging = () => mailServer.steps.filter((step) => step.startsWith('rcpt slow'));
    await until('five hang', () => hanging().length === 5);
    await oneDue('ada@example.com');
    await until('it is there', () => mailServer.to('ada@example.com').length === 1);
    expect(mailServer.mails).toHaveLength(1);
    await mailServer.stop(); // ends those that hang
  });
});

/** As if 100 seconds were over. */
const endClaims = () => sql.query('update notices set next_attempt_at = now() where claimed_by is not null');

describe('a mail whose claim ends before it is sent', () => {
  it('is sent by the next claim alone', async () => {
    const id = await recipient('ada@example.com');
    await happen({ id: 'e1' });
    work();
    await knownEvents(id, 1);
    const client = await sql.connect();
    await client.query('begin; lock table tanks in access exclusive mode'); // mails say what their tanks are called
    await hurry();
    await reach('it is claimed', id, ([one]) => one?.attempts === 1);
    await endClaims();
    await reach('it is claimed again', id, ([one]) => one?.attempts === 2);
    await client.query('commit');
    client.release();
    await reach('it is sent', id, ([one]) => one?.status === 'sent');
    await rest(); // whatever else was being sent
    expect(mailServer.steps.filter((step) => step.startsWith('data'))).toHaveLength(1);
  });

  it('has the record of the last claim, whenever the one before is answered', async () => {
    const held: ((answer: Answer) => void)[] = [];
    mailServer.answer = (step) => (step === 'data' ? new Promise((answer) => held.push(answer)) : undefined);
    const id = await oneDue();
    await until('the server holds it', () => held.length === 1);
    await endClaims();
    await until('the server holds it twice', () => held.length === 2);
    held[0]?.('451 4.3.0 try later');
    await until('the first is recorded', () => logged.some((line) => line.includes('mail not sent')));
    held[1]?.(undefined);
    await reach('it is sent', id, ([one]) => one?.status === 'sent');
    expect(await noticesOf(id)).toMatchObject([{ attempts: 2, reply: expect.stringMatching(/^250 /) }]);
  });
});

const due = (fields: Record<string, unknown> = {}) =>
  recipient('ada@example.com', {
    owner_id: 'ours',
    events: [],
    daily_at: '07:00',
    time_zone: 'Europe/Vienna',
    next_daily_at: new Date(Date.now() - 60_000).toISOString(),
    ...fields,
  });

async function nextOf(id: string): Promise<number> {
  const { rows } = await sql.query<{ next: Date }>(
    'select next_daily_at as next from recipients where id = $1',
    [id],
  );
  return rows[0]?.next.getTime() ?? 0;
}

/** In days: when the forecast's p10 has the alert and the end. */
const stands = async (id: string, fill: number, alert: number | null, empty: number, low = false) => {
  await insertTanks(sql, [aTank('ours', { id, name: id })]);
  const [alertHour, emptyHour] = [alert, empty].map((days) =>
    days === null ? null : Math.floor(Date.now() / 3_600_000) + days * 24,
  );
  await sql.query(
    `update tank_states set reported_at = now(), silent_at = now() + interval '1 day', fill_percentage = $2, low = $3,
            forecast_made_at = now(), alert_hours = array[$4::integer, null, null], empty_hours = array[$5::integer, null, null]
     where tank_id = $1`,
    [id, fill, low, alertHour, emptyHour],
  );
  // Of a round to come, so that the worker leaves it as it is.
  await sql.query(
    `insert into tank_forecasts (tank_key, made_at, seen_at, threshold, empty_hours, round)
     select tank_key, forecast_made_at, reported_at, min_fill_alert_percentage, empty_hours, 1000000 from tank_states where tank_id = $1`,
    [id],
  );
};
const dailyMail = async (): Promise<ReceivedMail | undefined> => {
  await due();
  work();
  await until('it is there', () => mailServer.mails.length === 1);
  return mailServer.mails[0];
};

describe('the daily mail', () => {
  it('has what is low or silent, the amount that fits and whom to call; of its customer only', async () => {
    await sql.query(
      `update tank_states set reported_at = now(), fill_percentage = 18.2, low = true, silent_at = now() + interval '1 day';
       insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
       values ('mute', 'ours', 'Mute', '', 1000, 'liters', 20);
       update tank_states set reported_at = now() - interval '3 days', fill_percentage = 60, low = false, silent_at = now() - interval '1 day' where tank_id = 'mute'`,
    );
    const id = await due({ language: 'de' });
    work();
    await until('it is there', () => mailServer.mails.length === 1);
    const mail = mailServer.mails[0];
    expect(mail?.headers['subject']).toBe('1 Tank braucht in 7 Tagen Gas, 1 meldet sich nicht');
    expectToHold(
      mail,
      'Boiler house',
      '18 % (491 von 2.700 Liter), Warnung bei 20 %',
      'Platz (bis 80 %): 1.669 Liter',
      'Telefon: +43 316 1',
      'Mute',
    );
    expect(mail?.text).not.toContain('Elsewhere');
    await reach('it is sent', id, ([one]) => one?.status === 'sent');
    expect(await noticesOf(id)).toMatchObject([
      { kind: 'daily', subject: '1 Tank braucht in 7 Tagen Gas, 1 meldet sich nicht' },
    ]);
    expect(await nextOf(id)).toBeGreaterThan(Date.now());
  });

  it('counts in its subject what is low or may be empty within 7 days, and lists nothing that has no room', async () => {
    await stands('Full', 80, 3, 6);
    await stands('Full and low', 91, null, 90, true);
    await stands('Far from empty', 66, 5, 90);
    await stands('Soon empty', 40, 2, 6);
    await stands('Low', 10, null, 20, true);
    const mail = await dailyMail();
    expect(mail?.headers['subject']).toBe('2 tanks need gas within 7 days');
    expectToHold(mail, 'Far from empty', 'Soon empty', 'Fits (to 80 %)');
    expect(mail?.text.match(/^\* .*/gm)).toHaveLength(3);
    expect(mail?.text).not.toContain('Full');
  });

  it('says nothing of need in its subject when all that it lists is far from empty', async () => {
    await stands('Far from empty', 66, 5, 90);
    const mail = await dailyMail();
    expect(mail?.headers['subject']).toBe('Your tanks today');
    expectToHold(mail, 'Far from empty');
  });

  it('is none with nothing to say, and none over 12 hours late', async () => {
    const quiet = await due();
    await sql.query(
      `update tank_states set reported_at = now(), fill_percentage = 18, low = true where owner_id = 'theirs'`,
    );
    const late = await recipient('bob@example.com', {
      owner_id: 'theirs',
      events: [],
      daily_at: '07:00',
      next_daily_at: new Date(Date.now() - 13 * 3_600_000).toISOString(),
    });
    work();
    for (const id of [quiet, late])
      await until('it was looked at', async () => (await nextOf(id)) > Date.now());
    expect([await noticesOf(quiet), await noticesOf(late)]).toEqual([[], []]);
  });
});

describe('a restored copy', () => {
  it('mails nobody before it is told to', async () => {
    await sql.query(`update notice_state set made_in = 'another database'`);
    await recipient('ada@example.com');
    await happen({ id: 'e1' });
    work();
    await until('it says so', () => logged.some((line) => line.includes('restored from a backup')));
    expect((await sql.query('select from notices')).rows).toHaveLength(0);
    await sql.query('update notice_state set made_in = null');
    await until('it goes on', async () => (await sql.query('select from notices')).rows.length === 1);
  });
});
