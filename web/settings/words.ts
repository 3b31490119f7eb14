// Webhooks and activity in words.
import type { Activity, WebhookEndpoint, WebhookTest } from 'tank-monitoring-client';
import { counted } from '../words.js';

export function typesInWords(types: WebhookEndpoint['types']): string {
  return types === null ? 'All events' : types.join(', ');
}

export function testInWords({ delivered, status, milliseconds, detail }: WebhookTest): string {
  const took = milliseconds === null ? '' : ` after ${counted(milliseconds, 'millisecond')}`;
  if (delivered) return `It answered ${status}${took}.`;
  return detail ?? (status === null ? 'It did not answer.' : `It answered ${status}${took}.`);
}

export function actorInWords({ actor }: Activity): string {
  return actor.kind === 'key' ? `${actor.name} (${actor.prefix}…)` : `Command ${actor.name}`;
}

/** "webhook_endpoint" and "delete_readings" as people say it. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** A value of a changed field. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
