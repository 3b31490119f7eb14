// The receivers that the documentation shows: they take what is genuine and nothing else.
import { afterAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sender, sendPing } from '../../src/webhooks/send.js';
import { newSecret } from '../../src/webhooks/secrets.js';
import { freePort } from '../faults/support/ports.js';
import { until } from '../faults/support/until.js';

const LANGUAGES = [
  { language: 'js', file: 'receiver.mjs', command: process.execPath },
  { language: 'python', file: 'receiver.py', command: 'python3' },
];

const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'tank-receiver-'));
afterAll(async () => {
  for (const child of children) child.kill();
  await rm(folder, { recursive: true, force: true });
});

/** The only block of code in this language. */
async function documented(language: string): Promise<string> {
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, code = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page) ?? [];
  return code;
}

describe.each(LANGUAGES)('the receiver in $language', ({ language, file, command }) => {
  it('takes a signed delivery and refuses a forged one', async () => {
    await writeFile(join(folder, file), await documented(language));
    const [port, secret] = [await freePort(), newSecret()];
    const child = spawn(command, [join(folder, file)], {
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ping = (secrets: string[]) =>
      sendPing(new Sender({ allowPrivate: true }), `http://127.0.0.1:${port}/`, secrets);

    await until('it answers', async () => (await ping([newSecret()])).status === 401);
    expect(await ping([newSecret()])).toMatchObject({ delivered: false, status: 401 });
    expect(said).toBe('');
    expect(await ping([newSecret(), secret])).toMatchObject({ delivered: true, status: 204 });
    await until('it tells of it', () => said.startsWith('ping '));
  });
});
