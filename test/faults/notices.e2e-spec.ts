// Two workers on one database and a mail server: what one of them was sending when it was killed is sent by the other, within 2 minutes.
import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { aCustomer, aTank, insertCustomers, insertTanks } from '../support/builders.js';
import { openPool } from '../support/database.js';
import { MailServer } from '../support/mail-server.js';
import { OwnPostgres } from './support/own-postgres.js';
import { startInVain, startWorker } from './support/service-process.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';

const WITHIN_MS = 120_000;

it('sends a mail again under its Message-ID after a kill -9, and each other mail once', async () => {
  const postgres = await OwnPostgres.start();
  const mailServer = stage.add(await MailServer.start());
  const environment = {
    DATABASE_URL: postgres.url,
    WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'tanks@example.com',
    PUBLIC_URL: 'https://tanks.example.com',
  };
  const sql = openPool(postgres.url, { max: 1 });
  await insertCustomers(sql, [aCustomer({ id: 'owner' })]);
  await insertTanks(sql, [aTank('owner', { id: 'tank' })]);
  await sql.query(
    `insert into recipients (email, events, time_zone, language, confirmed_at, active_since)
     select 'r' || n || '@example.com', '{tank.low}', 'UTC', 'en', now(), now() - interval '1 minute' from generate_series(1, 5) n;
     insert into events (id, type, created_at, tank_id, owner_id, data)
     values ('e1', 'tank.low', clock_timestamp(), 'tank', 'owner',
             '{"reading":{"created_at":"2026-10-31T18:00:00.000Z","fill_percentage":18},"before":null,"min_fill_alert_percentage":20,"silent_after_seconds":1,"tank":{"name":"Tank","custom_id":null},"owner":{"name":null,"email":null},"location":{}}')`,
  );
  mailServer.answer = (step, address) => (step === 'data' && address.startsWith('r1@') ? 'hang' : undefined);
  const first = await startWorker(environment);
  await until('all are noticed', async () => (await sql.query('select from notices')).rows.length === 5);
  await sql.query('update notices set next_attempt_at = now()');
  await until('one hangs', () => mailServer.steps.includes('data r1@example.com'));
  first.signal('SIGKILL');
  await first.ended;
  mailServer.answer = () => undefined;
  await startWorker(environment);
  await until('it is sent again', () => mailServer.to('r1@example.com').length === 1, WITHIN_MS);
  await until('all are recorded', async () => {
    const { rows } = await sql.query(`select from notices where status = 'sent'`);
    return rows.length === 5;
  });
  const { rows } = await sql.query<{ id: string }>(
    `select notice.id from notices notice join recipients recipient on recipient.id = recipient_id where email = 'r1@example.com'`,
  );
  expect(mailServer.to('r1@example.com')[0]?.headers['message-id']).toBe(`<${rows[0]?.id}@example.com>`);
  await sql.end();
});

it('does not start with a mail server alone: one line for each setting that is missing', async () => {
  const { stderr } = await startInVain({
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    SMTP_URL: 'smtp://mail.example.com',
  });
  for (const name of ['MAIL_FROM', 'PUBLIC_URL', 'WEBHOOK_SECRET_KEY'])
    expect(stderr).toContain(`  - ${name} is required with SMTP_URL`);
});
