// Webhook endpoints over HTTP: a scope for keys, when an endpoint last changed, a list of its deliveries, and waking deliveries that wait.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebhookEndpoints1767225600019 implements MigrationInterface {
  readonly name = 'WebhookEndpoints1767225600019';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [SCOPES, ENDPOINTS, DELIVERIES]) await runner.query(statement);
  }

  /** The scope stays: keys may have it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhook_deliveries drop column is_woken, drop column retry_after;
      drop index webhook_deliveries_listed;
      alter table webhook_endpoints drop column updated_at`);
  }
}

// The service knows which scopes there are, and takes no other.
const SCOPES = `
  alter table api_keys drop constraint if exists api_keys_scopes_are_known;
  alter table api_keys add constraint api_keys_scopes_are_known check (cardinality(scopes) > 0)`;

const ENDPOINTS = `
  alter table webhook_endpoints add column updated_at timestamptz(3) not null default now();
  update webhook_endpoints set updated_at = greatest(created_at, disabled_at)`;

// "retry_after": when the receiver asked to be tried again, at the earliest. "is_woken": it was tried earlier than its turn, because the
// endpoint answered again, and is not a second time.
const DELIVERIES = `
  alter table webhook_deliveries add column is_woken boolean not null default false, add column retry_after timestamptz(3);
  create index webhook_deliveries_to_wake on webhook_deliveries (endpoint_id)
    where status = 'pending' and tries > 0 and not is_woken;
  create index webhook_deliveries_listed on webhook_deliveries (endpoint_id, status, created_at, id)`;
