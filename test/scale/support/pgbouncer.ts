// Debian's PgBouncer, with the configuration that docs/database.md shows. Missing unless it is installed.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Child } from '../../faults/support/child.js';
import { ordinaryUser, type DebianPostgres } from '../../faults/support/debian-postgres.js';
import { temporaryFolder } from '../../faults/support/folder.js';
import { letsIn } from '../../faults/support/own-postgres.js';
import { freePort } from '../../faults/support/ports.js';
import { stage } from '../../faults/support/stage.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const PAGE = new URL('../../../docs/database.md', import.meta.url);

export const hasPgBouncer = existsSync(PROGRAM);

export class PgBouncer {
  private constructor(readonly port: number) {}

  /** `changes`: settings other than those of the page; null leaves one out. */
  static async start(
    postgres: DebianPostgres,
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<PgBouncer> {
    const folder = await temporaryFolder();
    const port = await freePort();
    const users = join(folder, 'userlist.txt');
    await writeFile(users, `"postgres" "any"\n${await documentedUsers()}`);
    const settings = new Map([
      ...(await documentedSettings()),
      ...Object.entries({
        listen_addr: '127.0.0.1',
        listen_port: String(port),
        auth_file: users,
        ...changes,
      }),
    ]);
    const lines = [...settings].flatMap(([name, value]) => (value === null ? [] : [`${name} = ${value}`]));
    const databases = `[databases]\n* = host=127.0.0.1 port=${postgres.port}\n`;
    await writeFile(join(folder, 'pgbouncer.ini'), [databases, '[pgbouncer]', ...lines, ''].join('\n'));
    const args = [join(folder, 'pgbouncer.ini')];
    const child = stage.add(new Child({ command: PROGRAM, args, folder, ...ordinaryUser() }));
    const pooler = new PgBouncer(port);
    await child.until('PgBouncer lets clients in', () => letsIn(pooler.url('postgres')));
    return pooler;
  }

  url(database: string, user = 'postgres'): string {
    return `postgres://${user}:any@127.0.0.1:${this.port}/${database}`;
  }
}

/** The userlist.txt of the page, every password "any". */
async function documentedUsers(): Promise<string> {
  const users = /```text\n((?:"\w+" "…"\n)+)```/.exec(await readFile(PAGE, 'utf8'))?.[1];
  if (users === undefined) throw new Error('docs/database.md shows no userlist.txt.');
  return users.replaceAll('"…"', '"any"');
}

async function documentedSettings(): Promise<[string, string][]> {
  const text = await readFile(PAGE, 'utf8');
  const section = /```ini\n\[databases\][^]*?\[pgbouncer\]\n([^]*?)```/.exec(text)?.[1];
  if (section === undefined) throw new Error('docs/database.md shows no pgbouncer.ini.');
  return section
    .split('\n')
    .map((line) => /^(\w+) = (.*)$/.exec(line.replace(/ *;.*/, '')))
    .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']]));
}
