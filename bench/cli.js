// Runs the service's own command line, as an operator would.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defer } from './cleanup.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** @returns {Promise<string>} what it printed */
export async function runCli(args, databaseUrl) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = defer(() => child.kill('SIGKILL'));
  let output = '';
  let messages = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (messages = (messages + chunk).slice(-2_000)));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  await forget();
  if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${code}: ${messages.trim()}`);
  return output;
}
