// The demo's keys, and the one for the secrets of its webhooks. The database has only a key's hash, so the key itself is in a file beside it that only its owner can read.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EntityManager } from 'typeorm';
import { hashKey, IS_ACTIVE, readPrefix } from '../common/auth/api-key.js';
import type { Scope } from '../common/auth/scope.js';
import { byCommand, recordActivity } from '../common/writes/activity.js';
import { insertKey } from '../people/keys.service.js';

type DemoKey = Readonly<{ file: string; name: string; scopes: readonly Scope[] }>;

/** The one in the file, if it still works; otherwise a new one. One from an earlier version gets the scopes it lacks. */
export async function keptKey(manager: EntityManager, { file, name, scopes }: DemoKey): Promise<string> {
  const kept = await read(file);
  const [, updated] = await manager.query<[unknown, number]>(
    `update api_keys set scopes = $3 where prefix = $1 and hash = $2 and ${IS_ACTIVE}`,
    [readPrefix(kept), hashKey(kept), scopes],
  );
  if (updated === 1) return kept;
  const secret = await manager.transaction(async (inner) => {
    const made = await insertKey(inner, { name, scopes, customer_id: null, expires_at: null });
    const entry = { type: 'key', object_id: made.prefix, object_name: name, owner_id: null } as const;
    await recordActivity(inner, byCommand('demo'), [{ ...entry, operation: 'create' }]);
    return made.secret;
  });
  return keep(file, secret);
}

/** What WEBHOOK_SECRET_KEY would be. */
export async function keptSecretKey(file: string): Promise<string> {
  return (await read(file)) || keep(file, randomBytes(32).toString('base64'));
}

async function read(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trim();
}

async function keep(file: string, key: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}
