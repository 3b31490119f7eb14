// Why a database role cannot do the background work: checked before it begins, since it would fail again and again.
import type { Pool } from 'pg';
import type { Config } from '../platform/config/config.js';
import { GRANTS, type Grants } from '../platform/database/grants.js';

const ALWAYS = [
  'take_tanks_to_judge',
  'record_judgements',
  'mark_silent_tanks',
  'note_background_round',
  'forget_events',
  'forget_deliveries',
  'tidy_activity',
  'drop_old_uplinks',
  'place_changes',
  'forget_changes',
  'telemetry_is_partitioned',
  'telemetry_months',
  'add_telemetry_month',
  'readings_between',
  'fold_alert_counts',
  'notices',
  'database_identity',
  'run_measuring',
];
const FOR_RETENTION = ['forget_readings', 'drop_telemetry_month'];
const FOR_MQTT = ['write_uplinks', 'device_key', 'mqtt_lease'];
const FOR_WEBHOOKS = ['webhook_lines'];

export async function findMissingRights(
  pool: Pick<Pool, 'query'>,
  {
    webhooks,
    telemetryRetentionMonths,
    mqtt,
  }: Pick<Config, 'webhooks' | 'telemetryRetentionMonths' | 'mqtt'>,
): Promise<string | undefined> {
  const needed = [
    ...ALWAYS,
    ...(telemetryRetentionMonths === undefined ? [] : FOR_RETENTION),
    ...(mqtt === undefined ? [] : FOR_MQTT),
    ...(webhooks.secretKeys.length === 0 ? [] : FOR_WEBHOOKS),
  ];
  const { rows } = await pool.query<Grants>(GRANTS.text, [needed]);
  const [grants] = rows;
  if (grants === undefined || (grants.lacking.length === 0 && !grants.reads_only)) return undefined;
  return grants.lacking.length > 0
    ? `the database role ${grants.role} may not use ${grants.lacking.join(', ')}`
    : `the database role ${grants.role} may only read here`;
}

export const ADVICE =
  'docs/least-privilege.sql, run after migrate, grants tanks_worker the rights it needs: run "worker" as that role, beside services with WORKER=false';
