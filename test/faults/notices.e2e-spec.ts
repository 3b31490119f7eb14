// Workers as processes of their own, and a mail server over TLS: each mail is sent once, by servers whose certificate is right, and what a
// worker was sending when it was killed is sent by the other when its claim ends, within 2 minutes.
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { insertCustomer, insertTank } from '../support/builders.js';
import { MailServer } from '../support/mail-server.js';
import { makeCertificate, type Certificate } from './support/certificates.js';
import { Child } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { freePort } from './support/ports.js';
import { startWorker, type Environment } from './support/service-process.js';
import { newDatabase, openSql, stage } from './support/stage.js';
import { until } from './support/until.js';

const AGAIN_WITHIN_S = 120;

const folder = await temporaryFolder();
const fitting = await makeCertificate(folder, 'fitting', 'localhost');
const ofAnotherHost = await makeCertificate(folder, 'other', 'other.example.com');
const trusted = join(folder, 'trusted.crt');
const files = [fitting, ofAnotherHost].map(({ certificateFile }) => readFile(certificateFile, 'utf8'));
await writeFile(trusted, (await Promise.all(files)).join(''));

/** A password goes over TLS only. */
async function startMailServer(shown: Certificate, isSecure: boolean, port = 0): Promise<MailServer> {
  const pair = { key: await readFile(shown.keyFile), cert: await readFile(shown.certificateFile) };
  const options = { ...pair, secure: isSecure, disabledCommands: [], authOptional: false };
  return stage.add(await MailServer.start({ ...options, allowInsecureAuth: false }, port));
}

/** A database with one event, of which so many recipients are told. */
async function given(recipients: number, way: string): Promise<{ sql: Pool; environment: Environment }> {
  const { url } = await newDatabase();
  const sql = openSql(url);
  await insertCustomer(sql, { id: 'owner' });
  await insertTank(sql, 'owner', { id: 'tank' });
  await sql.query(
    `insert into recipients (email, events, time_zone, language, confirmed_at, active_since)
     select 'r' || n || '@example.com', '{tank.low}', 'UTC', 'en', now(), now() - interval '1 minute' from generate_series(1, ${recipients}) n;
     insert into events (id, type, created_at, tank_id, owner_id, data)
     values ('e1', 'tank.low', clock_timestamp(), 'tank', 'owner',
             '{"reading":{"created_at":"2026-10-31T18:00:00.000Z","fill_percentage":18},"before":null,"min_fill_alert_percentage":20,"silent_after_seconds":1,"tank":{"name":"Tank","custom_id":null},"owner":{"name":null,"email":null},"location":{}}')`,
  );
  const environment = {
    DATABASE_URL: url,
    NODE_EXTRA_CA_CERTS: trusted,
    WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: way,
    MAIL_FROM: 'tanks@example.com',
    PUBLIC_URL: 'https://tanks.example.com',
  };
  return { sql, environment };
}

const noticed = (sql: Pool, n: number, condition = 'true') =>
  until(
    `${n} notices: ${condition}`,
    async () => (await sql.query(`select from notices where ${condition}`)).rows.length === n,
  );
const hurry = (sql: Pool) => sql.query('update notices set next_attempt_at = now() where claimed_by is null');

it('sends a mail again under its Message-ID after a kill -9, and each other mail once', async () => {
  const mailServer = await startMailServer(fitting, false);
  const { sql, environment } = await given(5, `smtp://tanks:s3cret@localhost:${mailServer.port}`);
  mailServer.answer = (step, address) => (step === 'data' && address.startsWith('r1@') ? 'hang' : undefined);
  const first = await startWorker(environment);
  await noticed(sql, 5);
  await hurry(sql);
  await until('one hangs', () => mailServer.steps.includes('data r1@example.com'));
  first.signal('SIGKILL');
  await first.ended;
  mailServer.answer = () => undefined;
  const { rows: claims } = await sql.query<{ seconds: number }>(
    `update notices set next_attempt_at = now() where claimed_by is not null and status = 'pending'
     returning (select extract(epoch from next_attempt_at - now())::float8 from notices old where old.id = notices.id) as seconds`,
  );
  expect(Math.max(...claims.map(({ seconds }) => seconds))).toBeLessThanOrEqual(AGAIN_WITHIN_S);
  await startWorker(environment);
  await until('it is sent again', () => mailServer.to('r1@example.com').length === 1);
  await noticed(sql, 5, `status = 'sent'`);
  const { rows } = await sql.query<{ id: string }>(
    `select notice.id from notices notice join recipients recipient on recipient.id = recipient_id where email = 'r1@example.com'`,
  );
  expect(mailServer.to('r1@example.com')[0]?.headers['message-id']).toBe(`<${rows[0]?.id}@example.com>`);
  expect(mailServer.mails[0]).toMatchObject({ isEncrypted: true, user: 'tanks' });
});

it('sends each mail once by two workers, as soon as the certificate is of the right host', async () => {
  const wrong = await startMailServer(ofAnotherHost, true);
  const { port } = wrong;
  const { sql, environment } = await given(15, `smtps://tanks:s3cret@localhost:${port}`);
  const workers = await Promise.all([startWorker(environment), startWorker(environment)]);
  await noticed(sql, 15);
  await hurry(sql);
  await noticed(sql, 15, `reply like '%certificate%not trusted (ERR_TLS_CERT_ALTNAME_INVALID)'`);
  expect(wrong.steps.filter((step) => !step.startsWith('connect'))).toEqual([]);
  await wrong.stop();
  const mailServer = await startMailServer(fitting, true, port);
  await hurry(sql);
  await noticed(sql, 15, `status = 'sent'`);
  await Promise.all(workers.map((worker) => worker.stop()));
  const expected = Array.from({ length: 15 }, (_, i) => `r${i + 1}@example.com`);
  expect(mailServer.mails.map(({ to }) => to).toSorted()).toEqual(expected.toSorted());
});

/** Debian's opensmtpd starts as root, and once. */
const hasServer = process.getuid?.() === 0 && existsSync('/usr/sbin/smtpd') && !existsSync('/run/smtpd.sock');
const NOBODY = 65_534;

(hasServer ? describe : describe.skip)('a mail server of Debian', () => {
  it('delivers into a mailbox', async () => {
    const [port, mailbox] = [await freePort(), join(folder, 'mailbox')];
    await chmod(folder, 0o755);
    await mkdir(mailbox);
    await chown(mailbox, NOBODY, NOBODY);
    const lines = [
      `listen on 127.0.0.1 port ${port}`,
      `action "keep" maildir "${mailbox}" virtual { "@" = nobody }`,
      'match from any for any action "keep"',
    ];
    await writeFile(join(folder, 'smtpd.conf'), `${lines.join('\n')}\n`);
    const args = ['-d', '-f', join(folder, 'smtpd.conf')];
    stage.add(new Child({ command: '/usr/sbin/smtpd', args, folder }));
    const { sql, environment } = await given(1, `smtp://127.0.0.1:${port}`);
    await startWorker(environment);
    await noticed(sql, 1);
    await hurry(sql);
    await noticed(sql, 1, `status = 'sent'`);
    const arrived = () => readdir(join(mailbox, 'new')).catch(() => []);
    await until('it is in the mailbox', async () => (await arrived()).length === 1);
    const [file = ''] = await arrived();
    const mail = await readFile(join(mailbox, 'new', file), 'utf8');
    expect(mail).toContain('To: r1@example.com');
    expect(mail).toContain('Subject: Tank is low: 18 %');
  });
});
