// Whether events are sent to an endpoint, and if not, why.
import type { SecretBox } from './secrets.js';

export interface EndpointState {
  readonly state: 'enabled' | 'disabled' | 'waiting';
  /** Null when it is enabled. */
  readonly reason: string | null;
}

interface Facts {
  readonly id: string;
  readonly secret: Buffer;
  readonly disabled_at: string | Date | null;
  readonly disabled_reason: string | null;
  readonly made_in: string;
}

/** `here`: the database that this is. */
export function stateOf(endpoint: Facts, here: string, box: SecretBox): EndpointState {
  if (endpoint.disabled_at !== null)
    return { state: 'disabled', reason: endpoint.disabled_reason ?? 'reason unknown' };
  if (endpoint.made_in !== here)
    return waiting('this database was restored from a backup of another (resume delivers from here)');
  if (box.open(endpoint.secret, endpoint.id) === undefined)
    return waiting('WEBHOOK_SECRET_KEY does not open its secret (roll-secret makes a new one)');
  return { state: 'enabled', reason: null };
}

const waiting = (reason: string): EndpointState => ({ state: 'waiting', reason });
