// Webhooks: where events are sent to, and what became of each sending. A delivery is written in the transaction of its event,
// so none is forgotten; whoever delivers claims it for a while, so that after a crash another tries again.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1767225600008 implements MigrationInterface {
  readonly name = 'Webhooks1767225600008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [ENDPOINTS, DELIVERIES, QUEUE_DELIVERIES, CLAIM_DELIVERIES, RECORD_DELIVERIES]) {
      await runner.query(statement);
    }
    // They run with their owner's rights, so that the role of the background work needs nothing but them.
    for (const name of ['claim_deliveries', 'record_deliveries']) {
      await runner.query(`
        alter function ${name} security definer set search_path = public, pg_temp;
        revoke execute on function ${name} from public`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function record_deliveries, claim_deliveries;
      drop function queue_deliveries cascade;
      drop table webhook_deliveries, webhook_endpoints`);
  }
}

// Secrets are encrypted by the service, which alone has the key. "failing_since": the first failure since a success.
const ENDPOINTS = `
  create table webhook_endpoints (
    id                     text collate "C" primary key default new_id(),
    created_at             timestamptz(3) not null default now(),
    url                    text not null,
    customer_id            text collate "C" references customers (id),
    types                  text[] check (cardinality(types) > 0),
    description            text,
    secret                 bytea not null,
    previous_secret        bytea,
    previous_secret_until  timestamptz(3),
    failing_since          timestamptz(3),
    disabled_at            timestamptz(3),
    disabled_reason        text
  )`;

// No foreign key to the endpoint: every event's transaction would lock its row. "webhooks remove" takes the deliveries along.
const DELIVERIES = `
  create table webhook_deliveries (
    id              bigint generated always as identity primary key,
    endpoint_id     text collate "C" not null,
    event_id        text collate "C" not null references events (id) on delete cascade,
    tank_id         text collate "C" not null,
    status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    created_at      timestamptz(3) not null default clock_timestamp(),
    tries           integer not null default 0,
    next_try_at     timestamptz(3) not null default clock_timestamp(),
    claimed_until   timestamptz(3),
    claimed_by      text,
    last_tried_at   timestamptz(3),
    last_status     integer,
    last_reason     text
  ) with (fillfactor = 80);
  create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at, id)
    where status = 'pending' and claimed_by is null;
  create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id, claimed_until)
    where claimed_by is not null;
  create index webhook_deliveries_of_tank on webhook_deliveries (tank_id, endpoint_id, id) where status = 'pending';
  create index webhook_deliveries_done on webhook_deliveries (endpoint_id, id desc) where status <> 'pending';
  create index webhook_deliveries_of_event on webhook_deliveries (event_id)`;

const QUEUE_DELIVERIES = `
  create function queue_deliveries() returns trigger language plpgsql as $$
  begin
    insert into webhook_deliveries (endpoint_id, event_id, tank_id)
    select endpoint.id, event.id, event.tank_id
    from new_rows event join webhook_endpoints endpoint
      on endpoint.disabled_at is null
     and (endpoint.customer_id is null or endpoint.customer_id = event.owner_id)
     and (endpoint.types is null or event.type = any (endpoint.types))
    order by event.id, endpoint.id;
    return null;
  end $$;
  create trigger queue_deliveries after insert on events referencing new table as new_rows
    for each statement execute function queue_deliveries()`;

// Who claims takes turns (the lock is held for this call), so that no two claim for one tank at once. A tank's events go to an
// endpoint one at a time and in order: a delivery waits for an earlier one until that has had its first retry. The events are
// read here, after the lock: who called may have waited for it, and its own view may be older than what it claims.
// Thousands may be queued in a moment, long before autovacuum looks, so nothing here may hang on what PostgreSQL believes of
// the table: each part has one index that fits and no second one ("+ 0" keeps the primary key from being one), what is
// chosen is handed on as an array, and "offset 0" keeps a look for single rows from becoming a join of all with all.
const CLAIM_DELIVERIES = `
  create function claim_deliveries(
    claimant text, endpoint_ids text[], at_once integer, most integer, lease interval
  ) returns table (
    delivery_id bigint, endpoint_id text, tries integer,
    id text, type text, created_at timestamptz, tank_id text, owner_id text, data json
  ) language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
  declare
    this_moment timestamptz;
    chosen bigint[];
  begin
    perform pg_advisory_xact_lock(hashtext('tank-monitoring webhook claims'));
    this_moment := clock_timestamp();
    update webhook_deliveries lapsed set claimed_by = null, claimed_until = null
    where lapsed.endpoint_id = any (endpoint_ids) and lapsed.claimed_by is not null and lapsed.claimed_until <= this_moment;
    chosen := array(
      select next.id
      from unnest(endpoint_ids) endpoint (id)
      cross join lateral (
        select count(*) as n from webhook_deliveries busy
        where busy.endpoint_id = endpoint.id and busy.claimed_by is not null
      ) under_way
      cross join lateral (
        select delivery.id
        from webhook_deliveries delivery
        where delivery.endpoint_id = endpoint.id and delivery.status = 'pending' and delivery.claimed_by is null
          and delivery.next_try_at <= this_moment
          and not exists (
            select from webhook_deliveries earlier
            where earlier.endpoint_id = delivery.endpoint_id and earlier.tank_id = delivery.tank_id
              and earlier.status = 'pending' and earlier.id + 0 < delivery.id
              and (earlier.tries < 2 or earlier.claimed_by is not null)
            offset 0)
        order by delivery.next_try_at, delivery.id
        limit greatest(at_once - under_way.n, 0)
      ) next
      limit most);
    return query
      with claimed as (
        update webhook_deliveries delivery
        set claimed_by = claimant, claimed_until = this_moment + lease, tries = delivery.tries + 1,
            last_tried_at = this_moment
        where delivery.id = any (chosen)
        returning delivery.*
      )
      select claimed.id, claimed.endpoint_id, claimed.tries,
             event.id, event.type, event.created_at, event.tank_id, event.owner_id, event.data
      from claimed
      cross join lateral (select * from events where events.id = claimed.event_id offset 0) event
      order by claimed.id;
  end $$`;

// What became of deliveries, several at once. Only who claimed one may say; "delay" is null when there is no further try.
// An endpoint that says it is gone, or has only failed for five days, is disabled.
const RECORD_DELIVERIES = `
  create function record_deliveries(
    claimant text, ids bigint[], delivered boolean[], statuses integer[], reasons text[], delays interval[]
  ) returns table (endpoint_id text, disabled_reason text)
  language plpgsql set enable_seqscan = off as $$
  declare
    answered text[];
    failed text[];
    gone text[];
  begin
    with answer as (
      select * from unnest(ids, delivered, statuses, reasons, delays) answer (id, delivered, status, reason, delay)
    ), recorded as (
      update webhook_deliveries delivery
      set status = case when answer.delivered then 'delivered' when answer.delay is null then 'failed' else 'pending' end,
          next_try_at = case when answer.delivered then next_try_at
                             else clock_timestamp() + coalesce(answer.delay, interval '0') end,
          last_status = answer.status, last_reason = answer.reason, claimed_by = null, claimed_until = null
      from answer
      where delivery.id = any (ids) and delivery.id = answer.id and delivery.claimed_by = claimant
      returning delivery.endpoint_id, answer.delivered, answer.status
    )
    select array_agg(distinct recorded.endpoint_id) filter (where recorded.delivered),
           array_agg(distinct recorded.endpoint_id) filter (where not recorded.delivered),
           array_agg(distinct recorded.endpoint_id) filter (where recorded.status = 410)
    into answered, failed, gone from recorded;

    update webhook_endpoints endpoint set failing_since = null
    where endpoint.id = any (answered) and failing_since is not null;
    update webhook_endpoints endpoint set failing_since = clock_timestamp()
    where endpoint.id = any (failed) and endpoint.id <> all (coalesce(answered, '{}')) and failing_since is null;
    return query
      update webhook_endpoints endpoint
      set disabled_at = clock_timestamp(),
          disabled_reason = case when endpoint.id = any (gone) then 'it answered 410 Gone'
                                 else 'nothing but failures for five days' end
      where endpoint.disabled_at is null
        and (endpoint.id = any (gone)
             or (endpoint.id = any (failed) and endpoint.failing_since <= clock_timestamp() - interval '5 days'))
      returning endpoint.id, endpoint.disabled_reason;
  end $$`;
