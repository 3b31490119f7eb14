// A machine whose clock is wrong: it says so, and above five minutes it is not ready, until the clock is right.
import { expect, it } from '@jest/globals';
import { freePort } from './support/ports.js';
import { metricsAt } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';

const database = await newDatabase();

/** The process sees a clock that is so far ahead, until SIGUSR2 sets it. */
async function startAhead(seconds: number) {
  const shift = `let ahead = ${seconds * 1000}; const now = Date.now; Date.now = () => now() + ahead; process.on('SIGUSR2', () => { ahead = 0; });`;
  const port = await freePort();
  const service = await ServiceProcess.start({
    DATABASE_URL: database.url,
    METRICS_PORT: String(port),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}`,
  });
  const lines = await service.logLines();
  return {
    service,
    said: lines.filter(({ msg }) => msg?.includes('clock')).map(({ level, msg }) => `${level}: ${msg}`),
    measured: Number(/^clock_ahead_seconds (\S+)$/m.exec(await metricsAt(port))?.[1]),
  };
}

it('that is a minute ahead warns, and serves', async () => {
  const { service, said, measured } = await startAhead(60);

  expect(said).toEqual([
    expect.stringMatching(/^warn: this machine's clock and PostgreSQL's are apart\. .*NTP/),
  ]);
  expect(Math.abs(measured - 60)).toBeLessThan(5);
  expect((await service.ready()).status).toBe(200);
});

it('that is two days behind is not ready until the clock is right', async () => {
  const { service, said, measured } = await startAhead(-172_800);

  expect(said).toEqual([expect.stringMatching(/^error: not ready: this machine's clock .*NTP/)]);
  expect(Math.abs(measured + 172_800)).toBeLessThan(5);
  const { status, body } = await service.ready();
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({
    code: 'not_ready',
    detail: 'The clock of this instance is wrong; the log says more.',
  });

  service.child.signal('SIGUSR2');
  await until('it is ready', async () => (await service.ready()).status === 200);
});
