// The key that messages of MQTT count as sent with.
import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../common/auth/api-keys.service.js';
import type { Caller } from '../../common/auth/caller.js';
import { ConfigError, type Config } from '../../platform/config/config.js';
import { SourceCatalog } from '../source-catalog.js';
import { isSender } from '../uplink.js';

/** Why the key cannot be used, in words that follow MQTT_KEY. */
export class KeyEnded extends Error {}

export type MqttSettings = NonNullable<Config['mqtt']>;

export const MQTT_SETTINGS = Symbol('the broker, its topics and the key');

@Injectable()
export class MqttKey {
  constructor(
    @Inject(MQTT_SETTINGS) private readonly settings: MqttSettings,
    private readonly keys: ApiKeysService,
    private readonly catalog: SourceCatalog,
  ) {}

  /** Ends the start, with all that is wrong: of the key, or of a source that it does not see. */
  async checkAtStart(): Promise<void> {
    const caller = await this.caller().catch((error: unknown) => {
      if (error instanceof KeyEnded) return error;
      throw error;
    });
    const isKey = !(caller instanceof KeyEnded);
    const faults = isKey ? [] : [`MQTT_KEY ${caller.message}`];
    for (const { source } of this.settings.topics) {
      const found =
        isSender(source) || (await this.catalog.find(source, isKey ? caller.customerId : null)) !== undefined;
      if (!found)
        faults.push(`MQTT_TOPICS names "${source}", which is no source${isKey ? ' that MQTT_KEY sees' : ''}`);
    }
    if (faults.length > 0) throw new ConfigError(faults);
  }

  /** Rejects with KeyEnded. */
  async caller(): Promise<Caller> {
    const caller = await this.keys.callerOf(this.settings.key);
    if (caller === null)
      throw new KeyEnded('is unknown, has expired or was revoked, or its customer is deleted');
    if (caller.scopes.includes('telemetry:write')) return caller;
    throw new KeyEnded(`lacks the scope telemetry:write: it has ${caller.scopes.join(', ')}`);
  }
}
