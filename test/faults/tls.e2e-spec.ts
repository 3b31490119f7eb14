// TLS to the database: a certificate that does not fit any more is an outage, told as one, until one that fits is back.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate, type Certificate } from './support/certificates.js';
import { createFleet, createKey } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { codesOf, expectOnly, expectSound } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask, type Outcome } from './support/requests.js';
import { sendReading } from './support/senders.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

const folder = await temporaryFolder();
const fitting = await makeCertificate(folder, 'fitting', 'localhost');
const untrusted = await makeCertificate(folder, 'untrusted', 'localhost');
const ofAnotherHost = await makeCertificate(folder, 'other', 'other.example.com');
const trusted = join(folder, 'trusted.crt');
await copyFile(fitting.certificateFile, trusted);

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);
const sender = await createKey(postgres.url, { scopes: ['telemetry:write'] });
await showAndReload(fitting);

const url = new URL(postgres.url);
url.hostname = 'localhost';
url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: trusted }).toString();
const service = await ServiceProcess.start({ DATABASE_URL: url.href });

/** Every connection is made anew, with what the server shows now. */
async function showAndReload(certificate: Certificate | undefined): Promise<void> {
  await postgres.show(certificate);
  const asWanted = certificate === undefined ? 'off' : 'on';
  await until('the server has read its settings', async () => {
    const [row] = await postgres.query<{ ssl: string }>('show ssl');
    return row?.ssl === asWanted;
  });
  await postgres.cutConnections();
}

const askFor = (path: string): Promise<Outcome> => ask(service.url, { path, headers: fleet.headers });

/** Right after the connections were cut, one may still be met that ends. */
async function served(): Promise<void> {
  await until('everything is served', async () => (await askFor('/v1/tanks')).status === 200);
}

async function causesSince(moment: number): Promise<string[]> {
  const lines = (await service.logLines()).filter(
    ({ level, time }) => level === 'error' && Date.parse(time) >= moment,
  );
  return lines.map(({ err }) => (err as { message: string }).message);
}

beforeEach(async () => {
  await copyFile(fitting.certificateFile, trusted);
  await showAndReload(fitting);
  await served();
});

describe('the service over TLS', () => {
  it('speaks TLS to its database', async () => {
    const [row] = await postgres.query<{ encrypted: boolean }>(
      `select bool_and(ssl) as encrypted from pg_stat_ssl join pg_stat_activity using (pid)
       where application_name = 'tank-monitoring-api'`,
    );
    expect(row).toEqual({ encrypted: true });
  });

  it.each([
    { what: 'one that is not trusted', certificate: untrusted, cause: /self[- ]signed certificate/ },
    {
      what: 'one of another host',
      certificate: ofAnotherHost,
      trusts: ofAnotherHost,
      cause: /does not match certificate's altnames/,
    },
    { what: 'none at all', certificate: undefined, cause: /does not support SSL/ },
  ])(
    'answers 503 while the server shows $what, with the cause in its log',
    async ({ certificate, trusts, cause }) => {
      if (trusts !== undefined) await copyFile(trusts.certificateFile, trusted);
      const changedAt = Date.now();
      await showAndReload(certificate);
      await until('the change is noticed', async () => (await askFor('/v1/tanks')).status !== 200);

      const outcomes = await Promise.all([
        ...[...fleet.paths, '/health/ready'].map(askFor),
        sendReading(service.url, sender, fleet.tankId, '2026-06-01T10:00:00Z'),
      ]);
      expectOnly([503], outcomes);
      expect(codesOf(outcomes)).toEqual(['database_unavailable']);
      await until('the cause is in the log', async () => (await causesSince(changedAt)).length > 0);
      for (const message of await causesSince(changedAt)) expect(message).toMatch(cause);

      await copyFile(fitting.certificateFile, trusted);
      await showAndReload(fitting);
      await served();
      await expectSound(service);
    },
  );
});
