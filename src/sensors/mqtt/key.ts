// The key that messages of MQTT count as sent with.
import type { ApiKeysService } from '../../common/auth/api-keys.service.js';
import type { Caller } from '../../common/auth/caller.js';
import { ConfigError } from '../../platform/config/config.js';

/** Why the key cannot be used, in words that follow MQTT_KEY. */
export class KeyEnded extends Error {}

type Keys = Pick<ApiKeysService, 'callerOf'>;

/** Ends the start. */
export async function checkMqttKey(keys: Keys, key: string): Promise<void> {
  await callerOf(keys, key).catch((error: unknown) => {
    throw error instanceof KeyEnded ? new ConfigError([`MQTT_KEY ${error.message}`]) : error;
  });
}

export async function callerOf(keys: Keys, key: string): Promise<Caller> {
  const caller = await keys.callerOf(key);
  if (caller === null)
    throw new KeyEnded('is unknown, has expired or was revoked, or its customer is deleted');
  if (caller.scopes.includes('telemetry:write')) return caller;
  throw new KeyEnded(`lacks the scope telemetry:write: it has ${caller.scopes.join(', ')}`);
}
