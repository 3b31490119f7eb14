// The demo's keys, and the one for the secrets of its webhooks. The database has only a key's hash, so the key itself is in a file beside it that only its owner can read.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { IsNull, Raw, type Repository } from 'typeorm';
import { hashKey, readPrefix } from '../common/auth/api-key.js';
import type { Scope } from '../common/auth/scope.js';
import { byCommand, recordActivity } from '../common/writes/activity.js';
import type { ApiKey } from '../people/api-key.entity.js';
import { insertKey } from '../people/keys.service.js';

type DemoKey = Readonly<{ file: string; name: string; scopes: readonly Scope[] }>;

/** The one in the file, if it still works; otherwise a new one. One from an earlier version gets the scopes it lacks. */
export async function keptKey(keys: Repository<ApiKey>, { file, name, scopes }: DemoKey): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (await giveScopes(keys, kept, scopes)) return kept;
  const secret = await keys.manager.transaction(async (manager) => {
    const made = await insertKey(manager, { name, scopes, customer_id: null, expires_at: null });
    const entry = { type: 'key', object_id: made.prefix, object_name: name, owner_id: null } as const;
    await recordActivity(manager, byCommand('demo'), [{ ...entry, operation: 'create' }]);
    return made.secret;
  });
  return keep(file, secret);
}

/** What WEBHOOK_SECRET_KEY would be. */
export async function keptSecretKey(file: string): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  return kept === '' ? keep(file, randomBytes(32).toString('base64')) : kept;
}

async function keep(file: string, key: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** False when there is no such key, or it has ended. */
async function giveScopes(keys: Repository<ApiKey>, key: string, scopes: readonly Scope[]): Promise<boolean> {
  const { affected } = await keys.update(
    {
      prefix: readPrefix(key) ?? '',
      hash: hashKey(key),
      revoked_at: IsNull(),
      expires_at: Raw((end) => `(${end} is null or ${end} > now())`),
    },
    { scopes: [...scopes] },
  );
  return affected === 1;
}
