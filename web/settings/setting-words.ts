// Webhooks and activity in words.
import type { Activity, WebhookEndpoint, WebhookTest } from 'tank-monitoring-client';
import { reasonOf } from '../api/troubles.js';
import { exactTime, LOCALE, percent } from '../format.js';
import { words } from '../words/words.js';

export function typesInWords(types: WebhookEndpoint['types']): string {
  return types === null ? words.settings.allEvents : types.join(', ');
}

export function testInWords({ delivered, status, milliseconds, detail }: WebhookTest): string {
  const took = milliseconds === null ? '' : words.settings.tookMs(milliseconds);
  return delivered ? words.settings.answered(status, took) : reasonOf(detail);
}

export function actorInWords({ actor: { kind, name, prefix, email } }: Activity): string {
  if (kind === 'link') return words.settings.link;
  if (kind === 'command') return words.settings.command(name ?? '');
  return kind === 'key' ? `${name} (${prefix}…)` : (name ?? email ?? '–');
}

/** What was done, as people say it. */
export function operationInWords(operation: string): string {
  return (words.settings.operations as Record<string, string>)[operation] ?? operation.replaceAll('_', ' ');
}

/** "min_fill_alert_percentage" and "location.city" as the forms call them. */
export function fieldInWords(name: string): string {
  const labels: Record<string, string> = words.fields;
  return labels[name.replaceAll('.', '/')]?.split(',')[0] ?? name.replaceAll(/[_.]/g, ' ');
}

/** A value of a changed field. */
export function valueInWords(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return words.nothing;
  if (typeof value === 'number')
    return name.endsWith('percentage') ? percent(value) : value.toLocaleString(LOCALE);
  if (typeof value === 'boolean') return value ? words.yesAlone : words.noAlone;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name.endsWith('_at') && Number.isFinite(Date.parse(value))) return exactTime(Date.parse(value));
  const known: Record<string, string> = { ...words.useCases, ...words.form.units };
  return name === 'use_case' || name === 'capacity_unit' ? (known[value] ?? value) : value;
}
