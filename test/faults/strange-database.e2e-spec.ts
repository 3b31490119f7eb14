// Whatever stands where the database should be, and however it behaves: a 503 that can be tried again, the cause in the log,
// and service again as soon as the database is back.
import { describe, expect, it } from '@jest/globals';
import { createFleet } from './support/fleet.js';
import { codesOf, expectOnly, expectSound } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { StrangeProxy, type Manner } from './support/strange-proxy.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);
const proxy = await StrangeProxy.start(postgres.url);
const service = await ServiceProcess.start({ DATABASE_URL: proxy.url, ANSWER_TIMEOUT_MS: '3000' });

const askFor = (path: string) => ask(service.url, { path, headers: fleet.headers });

/** Says this when it was spoken to, and holds the line. */
const saying =
  (...bytes: readonly (string | Buffer)[]): Manner =>
  (socket) =>
    socket.once('data', () => bytes.forEach((piece) => socket.write(piece)));

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const AUTHENTICATED = message('R', Buffer.from([0, 0, 0, 0]));
const READY = message('Z', Buffer.from('I'));

const MANNERS: readonly { readonly how: string; readonly manner: Manner }[] = [
  { how: 'closes every connection', manner: (socket) => socket.end() },
  { how: 'resets every connection', manner: (socket) => socket.resetAndDestroy() },
  { how: 'never answers', manner: () => undefined },
  { how: 'speaks HTTP', manner: saying('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n') },
  { how: 'speaks SSH', manner: saying('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n') },
  { how: 'speaks nonsense', manner: saying(Buffer.from(Array.from({ length: 300 }, (_, i) => i & 0xff))) },
  { how: 'speaks of a huge message', manner: saying(Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff, 0, 0])) },
  { how: 'asks for a login by GSSAPI', manner: saying(message('R', Buffer.from([0, 0, 0, 7]))) },
  { how: 'lets everybody in and then falls silent', manner: saying(AUTHENTICATED, READY) },
];

describe('where the database should be, somebody', () => {
  it.each(MANNERS)('who $how is a 503, and no reason to fall over', async ({ manner }) => {
    proxy.behave(manner);
    const startedAt = Date.now();
    const outcomes = await Promise.all([...fleet.paths, '/health/ready'].map(askFor));

    expectOnly([503], outcomes);
    expect(codesOf(outcomes)).toEqual(['database_unavailable']);
    await until('each has its cause in the log', async () => {
      const lines = await service.logLines();
      const errors = lines.filter(({ level, time }) => level === 'error' && Date.parse(time) >= startedAt);
      return errors.filter(({ err }) => err !== undefined).length >= outcomes.length;
    });

    proxy.behave(undefined);
    await until('everything is served again', async () => (await askFor('/v1/tanks')).status === 200);
    await expectSound(service);
  });
});
