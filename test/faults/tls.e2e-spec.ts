// TLS to the database: a certificate that does not fit any more is an outage, told as one, until one that fits is back.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate, type Certificate } from './support/certificates.js';
import { createFleet, createKey } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { codesOf, expectOnly, expectSound } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
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

const askFor = (path: string) => service.get(path, fleet.key);

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

/** It is the one that the server shows. */
async function trust(certificate: Certificate): Promise<void> {
  await copyFile(certificate.certificateFile, trusted);
  await showAndReload(certificate);
}

beforeEach(async () => {
  await trust(fitting);
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
    ['one that is not trusted', () => showAndReload(untrusted), /self[- ]signed certificate/],
    ['one of another host', () => trust(ofAnotherHost), /does not match certificate's altnames/],
    ['none at all', () => showAndReload(undefined), /does not support SSL/],
  ])('answers 503 while the server shows %s, with the cause in its log', async (_, change, cause) => {
    const changedAt = Date.now();
    await change();
    await until('the change is noticed', async () => (await askFor('/v1/tanks')).status !== 200);

    const outcomes = await Promise.all([
      ...[...fleet.paths, '/health/ready'].map(askFor),
      sendReading(service.url, sender, fleet.tankId, '2026-06-01T10:00:00Z'),
    ]);
    expectOnly([503], outcomes);
    expect(codesOf(outcomes)).toEqual(['database_unavailable']);
    await until('the cause is in the log', async () => (await causesSince(changedAt)).length > 0);
    for (const message of await causesSince(changedAt)) expect(message).toMatch(cause);

    await trust(fitting);
    await served();
    await expectSound(service);
  });
});
