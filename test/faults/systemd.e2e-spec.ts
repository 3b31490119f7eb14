// The unit docs/tank-monitoring.service: systemd takes it and finds it well confined, and its command, folder and times fit the service.
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/platform/config/config.js';
import { inProject } from '../../src/platform/config/project.js';
import { Child } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { freePort } from './support/ports.js';
import { ask } from './support/requests.js';
import { newDatabase, stage } from './support/stage.js';

const UNIT = readFileSync(inProject('docs/tank-monitoring.service'), 'utf8');
const ANALYZE = '/usr/bin/systemd-analyze';
/** Of 100; a unit without a word about it has more than 90. */
const MAX_EXPOSURE = 15;

const run = promisify(execFile);
function setting(name: string): string {
  const [, value] = new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT) ?? [];
  if (value === undefined) throw new Error(`The unit has no ${name}.`);
  return value;
}

const described = existsSync(ANALYZE) ? describe : describe.skip;
described("systemd (skipped without Debian's)", () => {
  it('takes the unit, and finds it well confined', async () => {
    const file = join(await temporaryFolder(), 'tank-monitoring.service');
    await writeFile(file, UNIT.replace('/usr/bin/node', process.execPath));

    expect(await run(ANALYZE, ['verify', file])).toEqual({ stdout: '', stderr: '' });
    const judged = run(ANALYZE, ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, file]);
    await expect(judged).resolves.toBeDefined();
  });
});

describe('the systemd unit', () => {
  it('waits for longer than the service takes to stop', () => {
    const { shutdown } = loadConfig({ DATABASE_URL: 'postgres://u:p@db/tanks' });
    expect(Number(setting('TimeoutStopSec')) * 1_000).toBeGreaterThan(shutdown.delayMs + shutdown.graceMs);
  });

  it('starts the service with its settings file, and its signal ends it in order', async () => {
    const database = await newDatabase();
    const port = await freePort();
    const folder = await temporaryFolder();
    const settings = { DATABASE_URL: database.url, HOST: '127.0.0.1', PORT: String(port) };
    const file = join(folder, setting('EnvironmentFile').split('/').at(-1) ?? '');
    await writeFile(
      file,
      Object.entries(settings).map((pair) => `${pair.join('=')}\n`),
    );
    const [program, ...args] = setting('ExecStart').split(' ');
    expect(program).toBe('/usr/bin/node');
    expect(setting('WorkingDirectory')).toBe('/opt/tank-monitoring-service');
    // As systemd does: the file's variables, nothing of ours, and the folder.
    const script = ['-c', 'set -a; . "$0"; exec "$@"', file, process.execPath, ...args];
    const service = stage.add(
      new Child({ command: 'bash', args: script, environment: {}, folder, cwd: inProject('.') }),
    );
    const url = `http://127.0.0.1:${port}`;
    await service.until(
      'it is ready',
      async () => (await ask(url, { path: '/health/ready' })).status === 200,
    );

    expect(await service.terminate()).toEqual({ code: 0, signal: null });
  });
});
