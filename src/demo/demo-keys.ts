// The demo's keys. The database has a key's hash only, so the key itself is kept in a file beside it, for its owner's eyes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DataSource } from 'typeorm';
import { hashOf, prefixOf } from '../auth/api-key.js';
import { KeyRegistry } from '../auth/key-registry.js';
import type { Scope } from '../auth/scope.js';

interface DemoKey {
  readonly file: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** The one that is kept, if it still works; otherwise a new one. One from an earlier version is given the scopes it lacks. */
export async function keptKey(dataSource: DataSource, { file, name, scopes }: DemoKey): Promise<string> {
  const kept = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (await giveScopes(dataSource, kept, scopes)) return kept;
  const key = await new KeyRegistry(dataSource).create({ name, customerId: null, expiresAt: null, scopes });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** False when there is no such key, or it has ended. */
async function giveScopes(dataSource: DataSource, key: string, scopes: readonly Scope[]): Promise<boolean> {
  const [rows]: [unknown[], number] = await dataSource.query(
    `update api_keys set scopes = $3
     where prefix = $1 and hash = $2 and revoked_at is null and (expires_at is null or expires_at > now())
     returning prefix`,
    [prefixOf(key) ?? null, hashOf(key), [...scopes]],
  );
  return rows.length > 0;
}
