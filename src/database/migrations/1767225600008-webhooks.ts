// Webhooks: where events are sent to, and what became of each sending. A delivery is written in the transaction of its event,
// so none is forgotten; whoever delivers claims it for a while, so that after a crash another tries again.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1767225600008 implements MigrationInterface {
  readonly name = 'Webhooks1767225600008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      DATABASE_IDENTITY,
      ENDPOINTS,
      DELIVERIES,
      QUEUE_DELIVERIES,
      HAND_ON_DELIVERIES,
      CLAIM_DELIVERIES,
      RECORD_DELIVERIES,
      BACKGROUND,
    ]) {
      await runner.query(statement);
    }
    // They run with their owner's rights, so that the roles of the service and of the worker need nothing but them.
    for (const name of [
      'claim_deliveries',
      'record_deliveries',
      'note_background_round',
      'background_ages',
    ]) {
      await runner.query(`
        alter function ${name} security definer set search_path = public, pg_temp;
        revoke execute on function ${name} from public`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function background_ages, note_background_round;
      drop table background_rounds;
      drop function record_deliveries, claim_deliveries;
      drop function queue_deliveries, hand_on_deliveries cascade;
      drop table webhook_deliveries, webhook_endpoints;
      drop function database_identity`);
  }
}

// A restored copy is another database: another server, or another one on the same server. Nothing else is compared with it, so a
// failover, which goes on with the same database, changes nothing.
const DATABASE_IDENTITY = `
  create function database_identity() returns text language sql stable as $$
    select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()
  $$`;

// Secrets are encrypted by the service, which alone has the key. "failing_since": the first failure since a success. "made_in": the
// database that deliveries are made from; in another one, a restored copy, they wait.
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
    disabled_reason        text,
    made_in                text not null default database_identity()
  )`;

// No foreign key to the endpoint: every event's transaction would lock its row. "webhooks remove" takes the deliveries along.
// A tank's pending deliveries to an endpoint wait in one line. One of them is next, and only that one can be claimed: however many
// wait behind it, a claim does not see them. New ones have no place in their line yet ("is_next" is null), so that whoever
// writes events locks nothing here. "id + 0" is the order of a line and keeps PostgreSQL from walking the primary key.
const DELIVERIES = `
  create table webhook_deliveries (
    id              bigint generated always as identity primary key,
    endpoint_id     text collate "C" not null,
    event_id        text collate "C" not null references events (id) on delete cascade,
    tank_id         text collate "C" not null,
    line            text collate "C" not null generated always as (endpoint_id || ' ' || tank_id) stored,
    status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    created_at      timestamptz(3) not null default clock_timestamp(),
    tries           integer not null default 0,
    next_try_at     timestamptz(3) not null default clock_timestamp(),
    is_next         boolean,
    claimed_until   timestamptz(3),
    claimed_by      text,
    last_tried_at   timestamptz(3),
    last_status     integer,
    last_reason     text
  ) with (fillfactor = 80);
  create index webhook_deliveries_new on webhook_deliveries (endpoint_id, (id + 0))
    where status = 'pending' and is_next is null;
  create unique index webhook_deliveries_next on webhook_deliveries (line) where coalesce(is_next, false);
  create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at, id)
    where status = 'pending' and is_next and claimed_by is null;
  create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id, claimed_until)
    where claimed_by is not null;
  create index webhook_deliveries_in_order on webhook_deliveries (line, (id + 0))
    where status = 'pending' and tries < 2;
  create index webhook_deliveries_retried on webhook_deliveries (line, next_try_at, id)
    where status = 'pending' and tries >= 2;
  create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, created_at, id)
    where status = 'pending' and id > 0;
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

// One that goes with its event while it is next, or before it had a place, may leave a line without a next one: those behind it
// get in line anew.
const HAND_ON_DELIVERIES = `
  create function hand_on_deliveries() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    behind bigint[];
  begin
    behind := array(
      select waiting.id
      from old_rows gone
      cross join lateral (
        (select fresh.id from webhook_deliveries fresh
         where fresh.line = gone.line and fresh.status = 'pending' and fresh.tries < 2
         order by fresh.id + 0 limit 1)
        union all
        (select retried.id from webhook_deliveries retried
         where retried.line = gone.line and retried.status = 'pending' and retried.tries >= 2
         order by retried.next_try_at, retried.id limit 1)
      ) waiting
      where gone.is_next is not false and not exists (
        select from webhook_deliveries next where next.line = gone.line and coalesce(next.is_next, false)));
    update webhook_deliveries delivery set is_next = null
    where delivery.id = any (behind) and delivery.is_next is not true;
    return null;
  end $$;
  create trigger hand_on_deliveries after delete on webhook_deliveries referencing old table as old_rows
    for each statement execute function hand_on_deliveries()`;

// Who claims or records takes turns (the lock is held for this call), so that a line has one order.
// First those that came since, up to a hundred of each endpoint, get their places: a tank's oldest is next, unless one before it
// is. One that has had its first retry and waits for a later one holds up nobody: it steps back, unless another one that has not
// waits behind it. Rows that somebody is about to remove wait for the next claim. Then each endpoint gives as many as it has room for, those
// with the fewest under way first; the last "kept" of "most" are for endpoints with no more than "few". The events are read here, after the lock: who called may have waited for it, and its own
// view may be older than what it claims.
// Thousands may be queued in a moment, long before autovacuum looks, so nothing here may hang on what PostgreSQL believes of
// the table: each part has one index that fits and no second one ("coalesce" and "id > 0" keep two of them from fitting others),
// what is chosen is handed on as an array, and "offset 0" keeps a look for single rows from becoming a join of all with all.
const CLAIM_DELIVERIES = `
  create function claim_deliveries(
    claimant text, endpoint_ids text[], under_way integer[], rooms integer[],
    most integer, kept integer, few integer, lease interval
  ) returns table (
    delivery_id bigint, endpoint_id text, tries integer,
    id text, type text, created_at timestamptz, tank_id text, owner_id text, data json
  ) language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
  declare
    this_moment timestamptz;
    came bigint[];
    lines text[];
    nexts bigint[];
    chosen bigint[];
  begin
    perform pg_advisory_xact_lock(hashtext('tank-monitoring webhook claims'));
    this_moment := clock_timestamp();
    update webhook_deliveries lapsed set claimed_by = null, claimed_until = null
    where lapsed.endpoint_id = any (endpoint_ids) and lapsed.claimed_by is not null and lapsed.claimed_until <= this_moment;

    came := array(
      select new.id
      from unnest(endpoint_ids) endpoint (id)
      cross join lateral (
        select delivery.id from webhook_deliveries delivery
        where delivery.endpoint_id = endpoint.id and delivery.status = 'pending' and delivery.is_next is null
        order by delivery.id + 0 limit 100 for update skip locked
      ) new);
    if cardinality(came) > 0 then
      lines := array(select distinct new.line from webhook_deliveries new where new.id = any (came));
      update webhook_deliveries waiting set is_next = false
      where waiting.line = any (lines) and coalesce(waiting.is_next, false) and waiting.claimed_by is null
        and waiting.tries >= 2 and waiting.next_try_at > this_moment
        and not exists (
          select from webhook_deliveries fresh
          where fresh.line = waiting.line and fresh.status = 'pending' and fresh.tries < 2 and not fresh.is_next
          offset 0);
      nexts := array(
        select first.id
        from (
          select distinct on (new.line) new.id, new.line from webhook_deliveries new where new.id = any (came)
          order by new.line, new.tries >= 2, new.id
        ) first
        where not exists (
          select from webhook_deliveries next
          where next.line = first.line and coalesce(next.is_next, false)
          offset 0));
      update webhook_deliveries delivery set is_next = delivery.id = any (nexts) where delivery.id = any (came);
    end if;

    chosen := array(
      select candidate.id
      from (
        select due.id, endpoint.under_way + due.n as busy,
               row_number() over (order by endpoint.under_way + due.n, due.next_try_at, due.id) as place
        from unnest(endpoint_ids, under_way, rooms) endpoint (id, under_way, room)
        cross join lateral (
          select delivery.id, delivery.next_try_at, row_number() over (order by delivery.next_try_at, delivery.id) as n
          from webhook_deliveries delivery
          where delivery.endpoint_id = endpoint.id and delivery.status = 'pending' and delivery.is_next
            and delivery.claimed_by is null and delivery.next_try_at <= this_moment
          order by delivery.next_try_at, delivery.id
          limit endpoint.room
        ) due
      ) candidate
      where candidate.place <= most - kept or candidate.busy <= few
      order by candidate.place
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
// Then the next one of each tank is up: the oldest that has not had its first retry, or one that waits for a later retry,
// whichever can be tried first. An endpoint that says it is gone, or has only failed for five days, is disabled.
const RECORD_DELIVERIES = `
  create function record_deliveries(
    claimant text, ids bigint[], delivered boolean[], statuses integer[], reasons text[], delays interval[]
  ) returns table (endpoint_id text, disabled_reason text)
  language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
  declare
    recorded_lines text[];
    nexts bigint[];
    answered text[];
    failed text[];
    gone text[];
  begin
    perform pg_advisory_xact_lock(hashtext('tank-monitoring webhook claims'));
    with answer as (
      select * from unnest(ids, delivered, statuses, reasons, delays) answer (id, delivered, status, reason, delay)
    ), recorded as (
      update webhook_deliveries delivery
      set status = case when answer.delivered then 'delivered' when answer.delay is null then 'failed' else 'pending' end,
          next_try_at = case when answer.delivered then next_try_at
                             else clock_timestamp() + coalesce(answer.delay, interval '0') end,
          last_status = answer.status, last_reason = answer.reason,
          is_next = false, claimed_by = null, claimed_until = null
      from answer
      where delivery.id = any (ids) and delivery.id = answer.id and delivery.claimed_by = claimant
      returning delivery.endpoint_id, delivery.line, answer.delivered, answer.status
    )
    select array_agg(recorded.line),
           array_agg(distinct recorded.endpoint_id) filter (where recorded.delivered),
           array_agg(distinct recorded.endpoint_id) filter (where not recorded.delivered),
           array_agg(distinct recorded.endpoint_id) filter (where recorded.status = 410)
    into recorded_lines, answered, failed, gone from recorded;

    nexts := array(
      select (
        select waiting.id from (
          (select fresh.id, fresh.next_try_at from webhook_deliveries fresh
           where fresh.line = recorded.line and fresh.status = 'pending' and fresh.tries < 2
           order by fresh.id + 0 limit 1)
          union all
          (select retried.id, retried.next_try_at from webhook_deliveries retried
           where retried.line = recorded.line and retried.status = 'pending' and retried.tries >= 2
           order by retried.next_try_at, retried.id limit 1)
        ) waiting
        order by waiting.next_try_at, waiting.id limit 1)
      from unnest(recorded_lines) recorded (line));
    update webhook_deliveries delivery set is_next = true where delivery.id = any (nexts);

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

// When the background work last made its round, whichever process did, so that every instance can report that none does.
const BACKGROUND = `
  create table background_rounds (
    only_row     boolean primary key default true check (only_row),
    finished_at  timestamptz(3) not null
  );
  insert into background_rounds (finished_at) values (clock_timestamp());

  create function note_background_round() returns void language sql as $$
    update background_rounds set finished_at = clock_timestamp()
  $$;

  create function background_ages(out oldest_pending_seconds double precision, out last_round_seconds double precision)
  language sql stable as $$
    select (select coalesce(greatest(extract(epoch from clock_timestamp() - min(oldest.created_at)), 0), 0)
            from webhook_endpoints endpoint
            cross join lateral (
              select created_at from webhook_deliveries
              where endpoint_id = endpoint.id and status = 'pending' and id > 0 order by created_at, id limit 1
            ) oldest
            where endpoint.disabled_at is null),
           (select greatest(extract(epoch from clock_timestamp() - finished_at), 0) from background_rounds)
  $$`;
