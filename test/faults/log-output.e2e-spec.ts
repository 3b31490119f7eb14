// Logs are droppable: a full disk, a pipe that nobody reads or whose reader is gone neither end nor hang the service.
import { describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { openSync } from 'node:fs';
import { inProject } from '../../src/platform/config/project.js';
import { createFleet } from './support/fleet.js';
import { expectOnly } from './support/judgement.js';
import { freePort } from './support/ports.js';
import { ask, metricsAt } from './support/requests.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);

interface Logging {
  readonly process: ChildProcess;
  readonly url: string;
  readonly metricsPort: number;
}

/** It cannot say where it listens, so it is told. */
async function start(stdio: StdioOptions): Promise<Logging> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  };
  const service = spawn(process.execPath, [inProject('dist/main.js')], { env: environment, stdio });
  stage.add({ stop: async () => void service.kill('SIGKILL') });
  const url = `http://127.0.0.1:${port}`;
  const isLive = async () => (await ask(url, { path: '/health/live' })).status === 200;
  await until('the service answers', isLive);
  return { process: service, url, metricsPort };
}

/** Each of them is a line. */
const ASKED = `GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${'x'.repeat(100)}\r\n\r\n`.repeat(16);

async function askOften({ url }: Logging, times: number): Promise<void> {
  for (let asked = 0; asked < times; asked += 160) {
    const wires = Array.from({ length: 10 }, () => new Wire(url, ASKED));
    await Promise.all(wires.map((wire) => wire.answered(16)));
    expect(wires.flatMap(({ statuses }) => statuses)).toEqual(Array(160).fill(401));
    wires.forEach((wire) => wire.stop());
  }
  expectOnly([200], [await ask(url, { path: '/v1/tanks', headers: fleet.headers })]);
}

async function exitCode({ process: service }: Logging): Promise<number | null> {
  service.kill('SIGTERM');
  await until('it ends', () => service.exitCode !== null || service.signalCode !== null);
  return service.exitCode;
}

async function dropped({ metricsPort }: Logging): Promise<number> {
  return Number(/^log_lines_dropped_total (\d+)$/m.exec(await metricsAt(metricsPort))?.[1]);
}

describe('a log', () => {
  it('on a full disk is dropped and counted, and the service serves and stops', async () => {
    const full = openSync('/dev/full', 'w');
    const service = await start(['ignore', full, full]);
    await askOften(service, 500);
    await until('lines are counted as dropped', async () => (await dropped(service)) > 100);
    expect(await exitCode(service)).toBe(0);
  });

  it('in a pipe that nobody reads is bounded, and told once somebody does', async () => {
    const service = await start(['ignore', 'pipe', 'inherit']);
    // More than the pipe and the buffer of the service hold together.
    while (!((await dropped(service)) > 0)) await askOften(service, 5_000);
    const lost = await dropped(service);

    let output = '';
    service.process.stdout?.on('data', (chunk) => (output += String(chunk)));
    await until('it tells what was dropped', () => /"dropped":\d+/.test(output));
    expect(Number(/"dropped":(\d+)/.exec(output)?.[1])).toBe(lost);
    const lines = output.slice(0, output.lastIndexOf('\n')).split('\n');
    expect(() => lines.forEach((line) => JSON.parse(line) as unknown)).not.toThrow();
    expect(await exitCode(service)).toBe(0);
  });
});
