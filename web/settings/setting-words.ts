// Webhooks and activity in words.
import type { Activity, WebhookEndpoint, WebhookTest } from 'tank-monitoring-client';
import { words } from '../words/words.js';

export function typesInWords(types: WebhookEndpoint['types']): string {
  return types === null ? words.settings.allEvents : types.join(', ');
}

export function testInWords({ delivered, status, milliseconds, detail }: WebhookTest): string {
  const took = milliseconds === null ? '' : words.settings.tookMs(milliseconds);
  if (delivered) return words.settings.answered(status, took);
  return detail ?? (status === null ? words.settings.noAnswer : words.settings.answered(status, took));
}

export function actorInWords({ actor: { kind, name, prefix, email } }: Activity): string {
  if (kind === 'link') return words.settings.link;
  if (kind === 'command') return words.settings.command(name ?? '');
  return kind === 'key' ? `${name} (${prefix}…)` : (name ?? email ?? '–');
}

/** "webhook_endpoint" and "delete_readings" as people say it. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** A value of a changed field. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
