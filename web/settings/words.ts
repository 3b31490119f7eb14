// Webhooks and activity in words.
import type { Activity, WebhookDelivery, WebhookEndpoint, WebhookTest } from 'tank-monitoring-client';
import { counted } from '../words.js';

export const STATE_WORDS: Record<WebhookEndpoint['state'], string> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  waiting: 'Waiting',
};

export const DELIVERY_WORDS: Record<WebhookDelivery['state'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

export function typesInWords(types: WebhookEndpoint['types']): string {
  return types === null ? 'All events' : types.join(', ');
}

export function testInWords({ delivered, status, milliseconds, detail }: WebhookTest): string {
  const took = milliseconds === null ? '' : ` after ${counted(milliseconds, 'millisecond')}`;
  if (delivered) return `It answered ${status}${took}.`;
  return detail ?? (status === null ? 'It did not answer.' : `It answered ${status}${took}.`);
}

export const TYPE_WORDS: Record<Activity['type'], string> = {
  customer: 'Customer',
  tank: 'Tank',
  sensor: 'Sensor',
  sensor_profile: 'Sensor profile',
  key: 'Key',
  webhook_endpoint: 'Webhook endpoint',
};

export function actorInWords({ actor }: Activity): string {
  return actor.kind === 'key' ? `${actor.name} (${actor.prefix}…)` : `Command ${actor.name}`;
}

/** "delete_readings" as people say it. */
export function operationInWords(operation: string): string {
  return operation.replaceAll('_', ' ');
}

/** A value of a changed field. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
