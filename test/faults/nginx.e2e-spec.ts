// nginx as docs/nginx.conf sets it up, in front of two instances that are stopped and started one after the other under load: nobody
// gets a 502 or a 504, and no reading is lost.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { query } from '../support/database.js';
import { Client } from '../support/replica.js';
import { makeCertificate } from './support/certificates.js';
import { Child } from './support/child.js';
import { createFleet, createKey, type Fleet } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { expectOnly, expectSound } from './support/judgement.js';
import { Load } from './support/load.js';
import { freePort } from './support/ports.js';
import { ask } from './support/requests.js';
import { lostReadings, Senders } from './support/senders.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

const PROGRAM = '/usr/sbin/nginx';
const SAMPLE = new URL('../../docs/nginx.conf', import.meta.url);
const HOST = 'tanks.example.com';

/** The sample with addresses of this machine; it also listens without TLS. */
async function startNginx(
  instances: readonly [number, number],
): Promise<{ plain: string; tlsPort: number; folder: string }> {
  const folder = await temporaryFolder();
  const [port, tlsPort] = [await freePort(), await freePort()];
  const { certificateFile, keyFile } = await makeCertificate(folder, 'proxy', HOST);
  // What the sample did not have, nginx would try to use: it has no such addresses, ports and files here.
  const site = (await readFile(SAMPLE, 'utf8'))
    .replace('10.0.0.11:3000', `127.0.0.1:${instances[0]}`)
    .replace('10.0.0.12:3000', `127.0.0.1:${instances[1]}`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2; listen 127.0.0.1:${port};`)
    .replace('/etc/ssl/tanks.example.com.crt', certificateFile)
    .replace('/etc/ssl/tanks.example.com.key', keyFile);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    'daemon off; worker_processes 2; error_log stderr;',
    `pid ${folder}/nginx.pid;`,
    'events {}',
    `http { access_log off; ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}`,
    `include ${folder}/site.conf; }`,
  ];
  await writeFile(join(folder, 'site.conf'), site);
  await writeFile(join(folder, 'nginx.conf'), main.join('\n'));
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'];
  const nginx = stage.add(new Child({ command: PROGRAM, args, folder }));
  const plain = `http://127.0.0.1:${port}`;
  await nginx.until('it answers', async () => (await ask(plain, { path: '/health/ready' })).status === 200);
  return { plain, tlsPort, folder };
}

const described = existsSync(PROGRAM) ? describe : describe.skip;
described("behind nginx (skipped without Debian's nginx)", () => {
  let fleet: Fleet;
  let databaseUrl: string;
  let ports: [number, number];
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  const instances: ServiceProcess[] = [];

  const start = async (port: number) =>
    await ServiceProcess.start({ DATABASE_URL: databaseUrl, PORT: String(port), TRUSTED_PROXIES: '1' });

  beforeAll(async () => {
    const database = await newDatabase();
    databaseUrl = database.url;
    fleet = await createFleet(databaseUrl);
    ports = [await freePort(), await freePort()];
    for (const port of ports) instances.push(await start(port));
    proxy = await startNginx(ports);
  });

  it('instances are stopped and started one after the other without a 502, and no reading is lost', async () => {
    const key = await createKey(databaseUrl, { scopes: ['telemetry:write'] });
    const tankIds = (await query<{ id: string }>(databaseUrl, 'select id from tanks')).map(({ id }) => id);
    const client = new Client(proxy.plain, fleet.key);
    const { next: after } = await client.changes({ after: 'latest' });
    const paths = [...fleet.paths, `/v1/changes?types=customer&after=${after}&wait=1`];
    const reads = new Load({ url: proxy.plain }, { paths, headers: fleet.headers }, 6);
    const senders = new Senders({ serviceUrl: proxy.plain, key, tankIds, senders: 4 });
    const goesOn = async () => {
      const moment = performance.now();
      await reads.seen(200, 30, moment);
      const before = senders.acknowledged.size;
      await until('readings are acknowledged', () => senders.acknowledged.size >= before + 30);
    };

    for (const turn of [0, 1]) {
      await goesOn();
      expect(await instances[turn]?.child.terminate()).toEqual({ code: 0, signal: null });
      await goesOn();
      instances[turn] = await start(ports[turn] ?? 0);
    }
    await goesOn();
    await Promise.all([reads.stop(), senders.stop()]);

    expectOnly([200], reads.outcomes);
    expectOnly([200], senders.outcomes);
    expect(await lostReadings(databaseUrl, senders.sent)).toEqual([]);
    for (const instance of instances) await expectSound(instance);
  });

  it('TLS is spoken', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { port: proxy.tlsPort, servername: HOST, rejectUnauthorized: false };
      request({ host: '127.0.0.1', path: '/health/ready', ...options }, ({ statusCode }) =>
        resolve(statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it('no secret of an address is in a log while the service is away', async () => {
    for (const instance of instances) await instance.child.terminate();
    const secret = 's3cret'.repeat(7);
    const paths = [
      `/mail/confirm/${secret}`,
      `/auth/callback?code=${secret}`,
      `/AUTH/callback?code=${secret}`,
      `/v1/uplinks/sources/a/${secret}`,
    ];
    for (const path of [...paths, '/v1/tanks?said=1'])
      expect((await ask(proxy.plain, { path })).status).toBe(502);
    const logged = await readFile(join(proxy.folder, 'stderr.log'), 'utf8');
    expect(logged).toContain('/v1/tanks?said=1');
    expect(logged).not.toContain(secret);
  });
});
