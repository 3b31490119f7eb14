// The three servers as child processes: started on a free port, awaited, watched and stopped.
import { transformFile } from '@swc/core';
import { spawn } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defer, isCleaningUp } from './cleanup.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What `npm start` and the image give Node before the program: the service is measured as it is deployed. */
const { scripts } = JSON.parse(readFileSync(here('../package.json'), 'utf8'));
const DEPLOYED_WITH = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Inside the project, so that what is compiled there finds its packages. */
const WORK_DIRECTORY = here(`../.data/bench/run-${process.pid}`);

const READY_PATH = '/v1/tanks?page=1&size=1';
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 5_000;

export const SERVER_NAMES = ['service', 'bare', 'typical'];

/** Made when it is first needed, and removed at the end. */
export function workDirectory() {
  mkdirSync(WORK_DIRECTORY, { recursive: true });
  defer(() => rmSync(WORK_DIRECTORY, { recursive: true, force: true }));
  return WORK_DIRECTORY;
}

/**
 * @param {{ url: string, key: string }} database
 * @param {string} [program] what to run, when it is none of the three
 * @param {string[]} [flags] more for Node
 */
export async function startServer(name, { url, key }, program, flags = []) {
  workDirectory();
  const isService = name === 'service' || program !== undefined;
  program ??= await programOf(name);
  const port = await freePort();
  const logFile = join(WORK_DIRECTORY, `${name.replaceAll(/\W+/g, '-')}.log`);
  const log = openSync(logFile, 'a');
  const started = performance.now();
  const child = spawn(process.execPath, [...(isService ? DEPLOYED_WITH : []), ...flags, program], {
    cwd: here('..'),
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: url,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_MS: '1000',
      BENCH_KEY: key,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const server = {
    name,
    port,
    key,
    pid: child.pid,
    startMilliseconds: 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: defer(() => stop(child, ended)),
  };
  child.once('exit', (code) => {
    if (!isCleaningUp() && !child.killed) {
      process.stderr.write(`bench: the ${name} server ended with ${code}:\n${tail(logFile)}\n`);
    }
  });
  await answers(server, child);
  server.startMilliseconds = performance.now() - started;
  return server;
}

async function programOf(name) {
  if (name === 'service') return here('../dist/main.js');
  if (name === 'bare') return here('bare-server.js');
  const compiled = join(WORK_DIRECTORY, 'typical-server.mjs');
  const { code } = await transformFile(here('typical-server.ts'), { cwd: dirname(here('../package.json')) });
  writeFileSync(compiled, code);
  return compiled;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answers({ name, port, key }, child) {
  const deadline = performance.now() + READY_WITHIN_MS;
  let status;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.pid === undefined) break;
    status = await statusOf(port, key);
    if (status === 200) return;
    await sleep(5);
  }
  throw new Error(`The ${name} server does not answer (last: ${status ?? 'no answer'}).`);
}

function statusOf(port, key) {
  return new Promise((resolve) => {
    const request = get({
      host: '127.0.0.1',
      port,
      path: READY_PATH,
      headers: { 'x-api-key': key },
      agent: false,
    });
    request.once('error', () => resolve(undefined));
    request.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
  });
}

async function stop(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const stopped = await Promise.race([ended.then(() => true), sleep(STOP_WITHIN_MS, false, { ref: false })]);
  if (stopped) return;
  child.kill('SIGKILL');
  await ended;
}

function tail(file) {
  try {
    return readFileSync(file, 'utf8').slice(-2_000);
  } catch {
    return '';
  }
}

/** Resident memory in bytes. */
export function residentBytes({ pid }) {
  try {
    if (process.platform === 'linux') {
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
    }
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
  } catch {
    return 0; // it has just ended, which is told elsewhere
  }
}

/** Processor time the process has used, in microseconds; null where it cannot be told cheaply. */
export function processorMicroseconds({ pid }) {
  if (process.platform !== 'linux') return null;
  try {
    // Of every thread, to the nanosecond; /proc/<pid>/stat tells steps of 10 ms.
    const threads = readdirSync(`/proc/${pid}/task`);
    const times = threads.map((id) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
    );
    return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1000;
  } catch {
    return null;
  }
}
