// `npm run test:clients`: generates a client from openapi.json with three generators, and compiles what they made, and the
// programs here that use it, as strictly as TypeScript can.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const DOCUMENT = '../../openapi.json';

/** Versions are exact in package.json; what those ask for is as it was on this day. A newer generator needs a later day. */
const DAY = '2026-10-01';

execFileSync(
  'npm',
  ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', `--before=${DAY}`],
  { cwd: here, stdio: 'inherit' },
);
rmSync(`${here}/build`, { recursive: true, force: true });
run('openapi-typescript', DOCUMENT, '--output', 'build/openapi-typescript.ts');
run('orval', '--input', DOCUMENT, '--output', 'build/orval.ts', '--client', 'fetch');
run('openapi-ts', '--input', DOCUMENT, '--output', 'build/hey-api');
run('tsc', '--project', '.');

/** @param {string} program @param {string[]} parameters */
function run(program, ...parameters) {
  execFileSync(`node_modules/.bin/${program}`, parameters, { cwd: here, stdio: 'inherit' });
}
