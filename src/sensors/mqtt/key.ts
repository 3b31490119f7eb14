// The key that messages of MQTT count as sent with.
import type { ApiKeysService } from '../../common/auth/api-keys.service.js';
import type { Caller } from '../../common/auth/caller.js';
import { ConfigError } from '../../platform/config/config.js';
import type { MqttTopic } from '../../platform/config/mqtt-settings.js';
import type { SourceCatalog } from '../source-catalog.js';
import { isSender } from '../uplink.js';

/** Why the key cannot be used, in words that follow MQTT_KEY. */
export class KeyEnded extends Error {}

type Keys = Pick<ApiKeysService, 'callerOf'>;

/** Ends the start, with all that is wrong. */
export async function checkMqtt(
  keys: Keys,
  { key, topics }: { readonly key: string; readonly topics: readonly MqttTopic[] },
  catalog: SourceCatalog,
): Promise<void> {
  const caller = await callerOf(keys, key).catch((error: unknown) => {
    if (error instanceof KeyEnded) return error;
    throw error;
  });
  const isKey = !(caller instanceof KeyEnded);
  const faults = isKey ? [] : [`MQTT_KEY ${caller.message}`];
  for (const { source } of topics) {
    const found = isSender(source) ? true : await catalog.find(source, isKey ? caller.customerId : null);
    if (found === undefined)
      faults.push(`MQTT_TOPICS names "${source}", which is no source${isKey ? ' that MQTT_KEY sees' : ''}`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

export async function callerOf(keys: Keys, key: string): Promise<Caller> {
  const caller = await keys.callerOf(key);
  if (caller === null)
    throw new KeyEnded('is unknown, has expired or was revoked, or its customer is deleted');
  if (caller.scopes.includes('telemetry:write')) return caller;
  throw new KeyEnded(`lacks the scope telemetry:write: it has ${caller.scopes.join(', ')}`);
}
