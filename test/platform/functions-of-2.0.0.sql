-- The functions of the release 2.0.0, file by file, as its `migrate` installed them. Never edited.
-- file: alerts/sql/background_ages.sql
-- The age of the oldest pending delivery, of the oldest change without a place (or of one of the oldest, where very many wait), and of
-- the last round of the background work, whichever process did it.
create or replace function background_ages(
  out oldest_pending_seconds double precision, out last_round_seconds double precision, out oldest_change_seconds double precision
)
language sql stable
security definer set search_path = public, pg_temp as $$
  select (select coalesce(greatest(extract(epoch from clock_timestamp() - min(oldest.created_at)), 0), 0)
          from webhook_endpoints endpoint
          cross join lateral (
            select created_at from webhook_deliveries
            where endpoint_id = endpoint.id and status = 'pending' and id > 0 order by created_at, id limit 1
          ) oldest
          where endpoint.disabled_at is null),
         (select greatest(extract(epoch from clock_timestamp() - finished_at), 0) from background_rounds),
         (select coalesce(greatest(extract(epoch from clock_timestamp() - min(noted_at)), 0), 0)
          from (select noted_at from change_notes limit 100000) oldest)
$$;
revoke execute on function background_ages from public;
-- file: alerts/sql/count_events.sql
-- Few write events, in short transactions, so these may share the row of a day.
create or replace function count_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from event_counts;
    return null;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into event_counts as counted (type, day, n)
    select type, (created_at at time zone 'UTC')::date, count(*) from new_rows group by 1, 2 order by 1, 2
    on conflict (type, day) do update set n = counted.n + excluded.n;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    update event_counts counted set n = counted.n - removed.n
    from (select type, (created_at at time zone 'UTC')::date as day, count(*) as n from old_rows group by 1, 2) removed
    where counted.type = removed.type and counted.day = removed.day;
    delete from event_counts where n = 0;
  end if;
  return null;
end $$;
-- file: alerts/sql/event_id.sql
-- A UUIDv7: the time, a number that orders the events of one tank and millisecond, then random bits, so that an id says nothing about
-- other tanks. One expression, so that it is inlined where it is called.
create or replace function event_id(recorded_at timestamptz, number integer default 0) returns text language sql volatile as $$
  select (lpad(to_hex(floor(extract(epoch from recorded_at) * 1000)::bigint), 12, '0')
          || '7' || lpad(to_hex(number >> 12), 3, '0') || '8' || lpad(to_hex(number & 4095), 3, '0')
          || right(gen_random_uuid()::text, 12))::uuid::text
$$;
-- file: alerts/sql/events_locate.sql
-- As for the other lists: the total of a range, and where one of its pages starts. No type means all of them.
create or replace function events_locate(
  wanted_type text, since timestamptz, until timestamptz, skip bigint,
  out total bigint, out newest timestamptz, out passed bigint
) language plpgsql stable as $$
declare
  rows_until bigint := events_rank(wanted_type, until);
  place bigint;     -- of the page's newest event, counted from the oldest
  found_day date;
  upto bigint;      -- events up to the end of that day
begin
  total := greatest(rows_until - events_rank(wanted_type, since), 0);
  if skip >= total then
    newest := '-infinity'; passed := 0; return;
  elsif skip <= 500 then
    newest := until; passed := skip; return;
  end if;
  place := rows_until - 1 - skip;
  select day, running into found_day, upto
  from (select day, sum(sum(n)) over (order by day) as running
        from event_counts where wanted_type is null or type = wanted_type group by day) days
  where running > place order by day limit 1;
  newest := (found_day + 1)::timestamp at time zone 'UTC';
  passed := upto - 1 - place;
end $$;
-- file: alerts/sql/events_rank.sql
-- How many events there are before an instant. No type means all of them.
create or replace function events_rank(wanted_type text, instant timestamptz) returns bigint language plpgsql stable as $$
declare
  day_of_instant date := (instant at time zone 'UTC')::date;
  midnight timestamptz := day_of_instant::timestamp at time zone 'UTC';
  found_rows bigint;
begin
  if wanted_type is null then
    found_rows := (select coalesce(sum(n), 0) from event_counts where day < day_of_instant);
    if instant > midnight then
      found_rows := found_rows
        + (select count(*) from events where created_at >= midnight and created_at < instant);
    end if;
  else
    found_rows := (select coalesce(sum(n), 0) from event_counts where type = wanted_type and day < day_of_instant);
    if instant > midnight then
      found_rows := found_rows
        + (select count(*) from events where type = wanted_type and created_at >= midnight and created_at < instant);
    end if;
  end if;
  return found_rows;
end $$;
-- file: alerts/sql/forget_alerts.sql
-- When a tank is gone, what is remembered of it and what is to be judged go, too.
create or replace function forget_alerts() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from tank_alerts;
    delete from tanks_to_judge;
  else
    delete from tank_alerts where tank_key in (select tank_key from old_states);
    delete from tanks_to_judge where tank_key in (select tank_key from old_states);
  end if;
  return null;
end $$;
-- file: alerts/sql/forget_events.sql
-- Removes at most "most" old events, so that nobody waits for it. Those of the last day are never removed.
create or replace function forget_events(before timestamptz, most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  if before > now() - interval '1 day' then
    raise 'Events of the last 24 hours are not removed.' using errcode = 'invalid_parameter_value';
  end if;
  delete from events where id = any (array( -- found once, whatever the planner thinks of the table's size
    select id from events where created_at < before order by created_at limit most for update skip locked));
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_events from public;
-- file: alerts/sql/note_background_round.sql
-- When the background work was last done, so that every instance can report that none does it.
create or replace function note_background_round() returns void language sql
security definer set search_path = public, pg_temp as $$
  update background_rounds set finished_at = clock_timestamp()
$$;
revoke execute on function note_background_round from public;
-- file: alerts/sql/number_of_event.sql
-- The part of an event's id that orders the events of one tank and millisecond.
create or replace function number_of_event(id text) returns integer language sql immutable as $$
  select ('x' || substr(id, 16, 3) || substr(id, 21, 3))::bit(24)::integer
$$;
-- file: alerts/sql/record_events.sql
-- Writes events, in their order, with all that is needed to act without asking back. When a clock was set back, a tank's next events
-- still come after its newest. That one is looked up before anything is inserted: each look would pass over all of this write.
create or replace function record_events(
  keys bigint[], types text[], ats timestamptz[], levels double precision[],
  befores timestamptz[], before_levels double precision[], silences integer[]
) returns void language plpgsql as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  recorded_ats timestamptz[]; numbers integer[];
begin
  select array_agg(greatest(moment, last.created_at) order by place),
         array_agg(happened.number + coalesce(number_of_event(last.id), 0) order by place) into recorded_ats, numbers
  from (select tank_key, place, row_number() over (partition by tank_key order by place)::integer as number
        from unnest(keys) with ordinality happened (tank_key, place)) happened
  left join tanks tank on tank.key = happened.tank_key
  left join lateral (
    select id, created_at from events where events.tank_id = tank.id and events.created_at >= moment
    order by created_at desc, id desc limit 1
  ) last on true;

  insert into events (id, type, created_at, tank_id, owner_id, data)
  select event_id(event.recorded_at, event.number), event.type, event.recorded_at, event.tank_id, event.owner_id, event.data
  from (
    select happened.type, tank.id as tank_id, tank.owner_id, happened.recorded_at, happened.number,
           json_build_object(
             'reading', json_build_object('created_at', to_char(happened.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'fill_percentage', happened.fill),
             'before', case when happened.before_at is not null then json_build_object(
               'created_at', to_char(happened.before_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'fill_percentage', happened.before_fill) end,
             'min_fill_alert_percentage', tank.min_fill_alert_percentage,
             'silent_after_seconds', happened.silence,
             'tank', json_build_object('name', tank.name, 'custom_id', tank.custom_id),
             'owner', json_build_object('name', owner.name, 'email', owner.email),
             'location', json_build_object(
               'city', tank.city, 'country', tank.country, 'district', tank.district, 'latitude', tank.latitude,
               'longitude', tank.longitude, 'postal_code', tank.postal_code, 'region', tank.region,
               'street', tank.street, 'street_number', tank.street_number)) as data
    from unnest(keys, types, ats, levels, befores, before_levels, silences, recorded_ats, numbers) with ordinality
         happened (tank_key, type, at, fill, before_at, before_fill, silence, recorded_at, number, place)
    join tanks tank on tank.key = happened.tank_key
    left join customers owner on owner.id = tank.owner_id and not owner.deleted
    order by happened.place
  ) event;
end $$;
-- file: alerts/sql/record_judgements.sql
-- Records what was judged of the tanks that take_tanks_to_judge() has locked: their events, and what is remembered of each. A tank of
-- which nothing is remembered has no row.
create or replace function record_judgements(
  tank_keys bigint[], lows boolean[], silences_reported boolean[],
  event_keys bigint[], types text[], ats timestamptz[], levels double precision[],
  befores timestamptz[], before_levels double precision[], silences integer[]
) returns void language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
begin
  delete from tanks_to_judge where tank_key = any (tank_keys);
  insert into tank_alerts as alert (tank_key, low, silence_reported)
  select * from unnest(tank_keys, lows, silences_reported) judged (tank_key, low, silence_reported) where low or silence_reported
  on conflict (tank_key) do update set low = excluded.low, silence_reported = excluded.silence_reported
  where (alert.low, alert.silence_reported) <> (excluded.low, excluded.silence_reported);
  delete from tank_alerts where tank_key = any (array(
    select tank_key from unnest(tank_keys, lows, silences_reported) judged (tank_key, low, silence_reported)
    where not low and not silence_reported));
  if cardinality(event_keys) > 0 then
    perform record_events(event_keys, types, ats, levels, befores, before_levels, silences);
  end if;
end $$;
revoke execute on function record_judgements from public;
-- file: alerts/sql/take_tanks_to_judge.sql
-- Locks the next tanks after "after_tank" with which something may have happened and returns what judge() needs: what was known, what
-- is known now, what is remembered, and the readings since the known one, newest first, with ten before it; none that is more than
-- seven days older than the first write, since those are history. Of a tank that somebody else holds it returns the key alone. What
-- was to be judged of a deleted tank is removed.
create or replace function take_tanks_to_judge(after_tank bigint, most integer)
returns table (
  tank_key bigint, is_taken boolean, threshold integer, known_threshold integer,
  known_at timestamptz, known_fill double precision, was_silent boolean, was_restored boolean,
  written_at timestamptz[], reached timestamptz[], is_silent boolean, is_low boolean, silence_reported boolean,
  moments timestamptz[], fills double precision[]
) language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
declare
  wanted bigint[]; taken bigint[]; sinces timestamptz[];
begin
  wanted := array(select note.tank_key from tanks_to_judge note where note.tank_key > after_tank order by 1 limit most);
  if wanted = '{}' then return; end if;
  perform hold_tanks(wanted);
  taken := array(
    select state.tank_key from tank_states state where state.tank_key = any (wanted)
    order by state.tank_key for no key update skip locked);
  delete from tanks_to_judge note using tank_states state
  where note.tank_key = any (taken) and state.tank_key = note.tank_key and state.deleted;
  select array_agg(note.tank_key order by note.tank_key),
         array_agg(greatest(note.known_at, note.written_at[1] - interval '7 days') order by note.tank_key)
  into taken, sinces
  from tanks_to_judge note where note.tank_key = any (taken);

  return query
    with readings as materialized (select * from readings_of(taken, sinces, 10))
    select each.tank_key, note.tank_key is not null, state.min_fill_alert_percentage, note.known_threshold,
           note.known_at::timestamptz, note.known_fill, note.was_silent, note.was_restored, note.written_at, note.reached,
           state.silent, coalesce(alert.low, false), coalesce(alert.silence_reported, false),
           readings.moments, readings.fills
    from unnest(wanted) each (tank_key)
    left join readings on readings.tank_key = each.tank_key
    left join tanks_to_judge note on note.tank_key = readings.tank_key
    left join tank_states state on state.tank_key = note.tank_key
    left join tank_alerts alert on alert.tank_key = note.tank_key
    order by each.tank_key;
end $$;
revoke execute on function take_tanks_to_judge from public;
-- file: alerts/webhooks/sql/claim_deliveries.sql
-- Claims and records take turns (by the lock, held for this call), so that a line has one order.
-- First, new deliveries, up to a hundred of each endpoint, get their places: a tank's oldest is next, unless one before it is. One that
-- waits for its second or a later retry steps back for one that does not. Rows that somebody is about to remove wait for the next claim.
-- Then each endpoint gives as many as it has room for, those with the fewest under way first; the last "kept" of "most" are for endpoints
-- with no more than "few". Events are read after the lock: the view of the caller may be older than what it claims.
-- Thousands may be queued long before autovacuum looks, so no plan may depend on statistics: each part has one index that fits
-- ("coalesce" and "id > 0" keep two of them from fitting others), what is chosen is passed on as an array, and "offset 0" keeps a look
-- for single rows from becoming a join of all with all.
create or replace function claim_deliveries(
  claimant text, endpoint_ids text[], under_way integer[], rooms integer[],
  most integer, kept integer, few integer, lease interval
) returns table (
  delivery_id bigint, endpoint_id text, tries integer,
  id text, type text, created_at timestamptz, tank_id text, owner_id text, data json
) language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off
security definer set search_path = public, pg_temp as $$
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
end $$;
revoke execute on function claim_deliveries from public;
-- file: alerts/webhooks/sql/database_identity.sql
-- A restored copy is another database: on another server, or another one on the same server. A failover changes nothing.
create or replace function database_identity() returns text language sql stable as $$
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()
$$;
-- file: alerts/webhooks/sql/hand_on_deliveries.sql
-- When a delivery is deleted that is next in its line, or has no place yet, those behind it get their places anew.
create or replace function hand_on_deliveries() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
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
-- file: alerts/webhooks/sql/queue_deliveries.sql
create or replace function queue_deliveries() returns trigger language plpgsql as $$
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
-- file: alerts/webhooks/sql/record_deliveries.sql
-- Records the results of deliveries; "delay" is null when there is no further try. Only the one who claimed a delivery may record it.
-- Then the next one of each line is up: the oldest that has not had its first retry, or one that waits for a later one, whichever can be
-- tried first. An endpoint that answers 410, or has only failed for five days, is disabled.
create or replace function record_deliveries(
  claimant text, ids bigint[], delivered boolean[], statuses integer[], reasons text[], delays interval[]
) returns table (endpoint_id text, disabled_reason text)
language plpgsql set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off
security definer set search_path = public, pg_temp as $$
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
                               else 'every delivery failed for five days' end
    where endpoint.disabled_at is null
      and (endpoint.id = any (gone)
           or (endpoint.id = any (failed) and endpoint.failing_since <= clock_timestamp() - interval '5 days'))
    returning endpoint.id, endpoint.disabled_reason;
end $$;
revoke execute on function record_deliveries from public;
-- file: changes/sql/changed_readings.sql
-- What there is now between the instants of changes of readings, in the order of the changes, at most "most" rows, each with the
-- "place" of its change. A change without readings is one row with nulls; one of a tank that this key does not see, or that is deleted,
-- is none. Of more than 1,000 readings there are 1,001.
create or replace function changed_readings(
  places bigint[], tank_keys bigint[], sinces timestamptz[], untils timestamptz[], visible_owner_id text, most integer
) returns table (place bigint, tank_id text, created_at timestamptz, fill_percentage double precision)
language plpgsql stable as $$
begin
  return query
    select change.place, tank.id, reading.created_at, reading.fill_percentage
    from unnest(places, tank_keys, sinces, untils) change (place, tank_key, since, until)
    cross join lateral (
      select id from tanks
      where key = change.tank_key and not deleted and (visible_owner_id is null or owner_id = visible_owner_id) offset 0
    ) tank
    left join lateral (
      select telemetry.created_at, telemetry.fill_percentage from telemetry
      where telemetry.tank_key = change.tank_key and telemetry.created_at between change.since and change.until
      order by telemetry.created_at limit 1001
    ) reading on true
    limit most;
end $$;
-- file: changes/sql/expect_read_committed.sql
-- An older snapshot hides what others committed before the TRUNCATE took its lock, so that it could not be noted.
create or replace function expect_read_committed() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise 'TRUNCATE needs the isolation level read committed.' using errcode = 'serialization_failure';
  end if;
end $$;
-- file: changes/sql/forget_changes.sql
-- Removes at most "most" changes that are older than 7 days. The newest of them stays: it is what cursors point to that have missed
-- nothing younger.
create or replace function forget_changes(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  old bigint[]; forgotten integer;
begin
  old := array(
    select position from (select position, placed_at from change_feed order by position limit most + 1) oldest
    where placed_at < clock_timestamp() - interval '7 days' order by position);
  delete from change_feed where position = any (old[:cardinality(old) - 1]);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_changes from public;
-- file: changes/sql/note_changed_readings.sql
-- Called by whoever writes readings of several tanks. On one machine the triggers of the table have noted them already.
create or replace function note_changed_readings(tank_keys bigint[], instants timestamptz[]) returns void language plpgsql as $$
begin
end $$;
-- file: changes/sql/note_customers.sql
-- An update that leaves a customer as it was is no change; another id is two objects. TRUNCATE may have to note what an older snapshot
-- does not show, so there it is refused.
create or replace function note_customers() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change_notes (kind, id, owner_id) select 'c', id, id from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_notes (kind, id, owner_id) select 'c', id, id from old_rows;
  elsif tg_op = 'UPDATE' then
    insert into change_notes (kind, id, owner_id)
    select 'c', id, id
    from (select id from (select * from new_rows except select * from old_rows) changed
          union
          select id from (select * from old_rows except select * from new_rows) changed) changed;
  else
    perform expect_read_committed();
    insert into change_notes (kind, id, owner_id) select 'c', id, id from customers;
  end if;
  return null;
end $$;
-- file: changes/sql/note_events.sql
create or replace function note_events() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into change_notes (kind, id, owner_id) select 'e', id, owner_id from new_rows;
  return null;
end $$;
-- file: changes/sql/note_readings.sql
-- One note a tank and statement: between these instants, both included, something changed. Whoever notes the readings of a statement by
-- itself sets tank_monitoring.changes = 'by_caller' meanwhile. On a cluster only TRUNCATE gets here, and not for the copies on workers.
create or replace function note_readings() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name <> 'telemetry' or current_setting('tank_monitoring.changes', true) = 'by_caller'
     or current_setting('citus.enable_ddl_propagation', true) = 'off' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(created_at), max(created_at) from new_rows group by tank_key;
  elsif tg_op = 'DELETE' then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(created_at), max(created_at) from old_rows group by tank_key;
  elsif tg_op = 'UPDATE' then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(created_at), max(created_at)
    from ((select * from new_rows except select * from old_rows)
          union all
          (select * from old_rows except select * from new_rows)) changed
    group by tank_key;
  else
    perform expect_read_committed();
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, '0001-01-01Z', '9999-12-31T23:59:59.999Z' from tank_states where reported_at is not null;
  end if;
  return null;
end $$;
-- file: changes/sql/note_tanks.sql
-- A customer shows how many live tanks it has: it changes with them. A tank that is restored or gets another id brings all its
-- readings; one that moves brings them to the keys of its new owner only, since all others have them.
create or replace function note_tanks() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change_notes (kind, id, owner_id) select 't', id, owner_id from new_rows;
    insert into change_notes (kind, id, owner_id) select distinct 'c', owner_id, owner_id from new_rows where not deleted;
  elsif tg_op = 'DELETE' then
    insert into change_notes (kind, id, owner_id) select 'd', id, owner_id from old_rows;
    insert into change_notes (kind, id, owner_id) select distinct 'c', owner_id, owner_id from old_rows where not deleted;
  elsif tg_op = 'UPDATE' then
    insert into change_notes (kind, id, owner_id, tank_key, since, until)
    select note.kind, note.id, note.owner_id, note.tank_key, note.since, note.until
    from old_rows before
    join new_rows after using (key)
    cross join lateral (values
      ('l', before.id, before.owner_id, null::bigint, null::timestamptz, null::timestamptz,
        (before.id, before.owner_id) <> (after.id, after.owner_id)),
      ('d', before.id, before.owner_id, null, null, null, before.id <> after.id),
      ('t', after.id, after.owner_id, null, null, null, true),
      ('c', before.owner_id, before.owner_id, null, null, null,
        before.owner_id <> after.owner_id or before.deleted <> after.deleted),
      ('c', after.owner_id, after.owner_id, null, null, null, before.owner_id <> after.owner_id),
      ('r', null, after.owner_id, key, '0001-01-01Z', '9999-12-31T23:59:59.999Z', before.owner_id <> after.owner_id),
      ('r', null, null, key, '0001-01-01Z', '9999-12-31T23:59:59.999Z',
        before.id <> after.id or before.deleted and not after.deleted)
    ) note (kind, id, owner_id, tank_key, since, until, is_due)
    where before is distinct from after and is_due;
  else
    perform expect_read_committed();
    insert into change_notes (kind, id, owner_id) select 'd', id, owner_id from tanks;
    insert into change_notes (kind, id, owner_id) select 'c', id, id from customers;
  end if;
  return null;
end $$;
-- file: changes/sql/place_changes.sql
-- Gives what is committed the next positions, and returns how many it has placed. What commits later gets a later position, so there is
-- no horizon to wait for: open, prepared and aborted transactions, savepoints and gaps in sequences need no thought. One call at a
-- time, by a lock that is kept until after the commit; the statements below it have younger snapshots, and so need read committed.
-- Of an object all notes are taken at once: that a tank has left or is gone comes before what it is now. Readings and events come after
-- the objects of the same transaction: they are looked for first, and wait while there are more objects than one call places.
create or replace function place_changes(most integer default 20000) returns integer language plpgsql
security definer set search_path = public, pg_temp set plan_cache_mode = auto as $$
declare
  others tid[]; busy integer[]; ids text[]; has_all_objects boolean;
  head record; placed integer;
begin
  if not exists (select from change_notes) or current_setting('transaction_isolation') <> 'read committed'
     or not pg_try_advisory_xact_lock(hashtext('tank-monitoring changes')) then
    return 0;
  end if;
  -- A position that was read must not be lost by a crash.
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;

  others := array(select ctid from change_notes where kind in ('r', 'e') limit most);
  busy := tanks_being_written();
  ids := array(select id from change_notes where kind not in ('r', 'e') limit most);
  has_all_objects := cardinality(ids) < most;
  select position, greatest(clock_timestamp(), placed_at) as now into strict head
  from change_feed order by position desc limit 1;

  with objects as (
    delete from change_notes where kind not in ('r', 'e') and (has_all_objects or id = any (ids))
    returning kind, id, owner_id
  ), taken as (
    delete from change_notes
    where has_all_objects and ctid = any (others) and (tank_key is null or (tank_key % 64)::integer <> all (busy))
    returning kind, id, owner_id, tank_key, since, until
  ), due as (
    select distinct strpos('cldt', kind) as rank, kind, id, owner_id,
           null::bigint as tank_key, null::timestamptz as since, null::timestamptz as until
    from objects
    union all
    select distinct case kind when 'r' then 5 else 6 end, kind, id, owner_id, tank_key, since, until from taken
  )
  insert into change_feed (position, placed_at, kind, id, owner_id, tank_key, since, until)
  select head.position + row_number() over (order by rank, id, tank_key, since), head.now,
         kind, id, owner_id, tank_key, since, until
  from due;
  get diagnostics placed = row_count;
  return placed;
end $$;
revoke execute on function place_changes from public;
-- file: changes/sql/restart_changes.sql
-- The feed begins anew: rows were written past the triggers, so whoever follows has missed something and gets a 410.
create or replace function restart_changes() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('tank-monitoring changes'));
  insert into change_feed (position, placed_at, kind)
  select position + 1, greatest(clock_timestamp(), placed_at), 's' from change_feed order by position desc limit 1;
end $$;
-- file: changes/sql/tanks_being_written.sql
-- The numbers (key % 64) of tanks whose writers have committed, but perhaps not everywhere. One machine commits at once.
create or replace function tanks_being_written() returns integer[] language sql as $$ select '{}'::integer[] $$;
-- file: platform/cluster/sql/changed_readings.sql
-- As on one machine. One question to all nodes for up to 100 changes in a row of different tanks: the instants are found by the place of
-- the key, as in readings_of().
create or replace function changed_readings(
  places bigint[], tank_keys bigint[], sinces timestamptz[], untils timestamptz[], visible_owner_id text, most integer
) returns table (place bigint, tank_id text, created_at timestamptz, fill_percentage double precision)
language plpgsql stable set plan_cache_mode = auto as $$
declare
  change record;
  keys bigint[] := '{}'; froms timestamptz[]; tos timestamptz[]; ids text[]; theirs bigint[];
  returned bigint; total bigint := 0;
begin
  for change in
    select given.*, tank.id from unnest(tank_keys, sinces, untils, places) given (tank_key, since, until, place)
    join tanks tank on tank.key = given.tank_key and not tank.deleted
      and (visible_owner_id is null or tank.owner_id = visible_owner_id)
    union all
    select null, null, null, null, null -- asks for the last ones
    order by place
  loop
    if cardinality(keys) = 100 or change.tank_key = any (keys) or change.tank_key is null then
      return query
        with found as materialized (
          select counted.tank_key, reading.moments, reading.fills
          from telemetry_counts counted
          cross join lateral (
            select array_agg(between_instants.created_at order by between_instants.created_at) as moments,
                   array_agg(between_instants.fill_percentage order by between_instants.created_at) as fills
            from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                  where telemetry.tank_key = counted.tank_key
                    and telemetry.created_at >= froms[array_position(keys, counted.tank_key)]
                    and telemetry.created_at <= tos[array_position(keys, counted.tank_key)]
                  order by telemetry.created_at limit 1001) between_instants
          ) reading
          where counted.tank_key = any (keys) and counted.level = 0
        )
        select wanted.place, wanted.id, reading.created_at, reading.fill_percentage
        from unnest(keys, ids, theirs) wanted (tank_key, id, place)
        left join found on found.tank_key = wanted.tank_key
        left join lateral unnest(found.moments::timestamptz[], found.fills) reading (created_at, fill_percentage) on true
        order by wanted.place, reading.created_at;
      get diagnostics returned = row_count;
      total := total + returned;
      exit when change.tank_key is null or total >= most;
      keys := '{}'; froms := '{}'; tos := '{}'; ids := '{}'; theirs := '{}';
    end if;
    keys := keys || change.tank_key; froms := froms || change.since; tos := tos || change.until;
    ids := ids || change.id; theirs := theirs || change.place;
  end loop;
end $$;
-- file: platform/cluster/sql/hold_tanks.sql
-- Called first by whoever writes readings of several tanks: rows on several nodes cannot be locked in one order, so writers of the same
-- tanks queue here. This kind of lock is kept until every node has committed (that of a row is not). A tank has one of 64.
create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql set plan_cache_mode = auto as $$
begin
  -- The table before the tanks, as TRUNCATE and "counts rebuild" take it. LOCK would ask every node; this asks none.
  delete from telemetry where false;
  perform pg_advisory_xact_lock(hashtext('tank_monitoring.tanks'), number)
  from (select distinct (key % 64)::integer as number from unnest(tank_keys) key order by 1) lock;
end $$;
-- file: platform/cluster/sql/insert_readings.sql
-- Inserts the readings that are new and returns which those were. As a list of values, which goes to each node once; a select would
-- open a connection for each of its shards.
create or replace function insert_readings(tank_keys bigint[], instants timestamptz[], levels double precision[])
returns table (tank_key bigint, instant timestamptz) language plpgsql as $$
begin
  return query execute (
    select 'insert into telemetry (tank_key, created_at, fill_percentage) values '
           || string_agg(format('(%s, %L, %s)', reading.tank_key, reading.instant, reading.level), ', '
                         order by reading.tank_key, reading.instant)
           || ' on conflict do nothing returning tank_key, created_at::timestamptz'
    from unnest(tank_keys, instants, levels) reading (tank_key, instant, level));
end $$;
-- file: platform/cluster/sql/lock_readings.sql
-- Reads existing readings. They are not locked here: nobody changes them while the tanks are held.
create or replace function lock_readings(tank_keys bigint[], instants timestamptz[])
returns table (tank_key bigint, instant timestamptz, level double precision)
language plpgsql set plan_cache_mode = auto as $$
begin
  return query
    select telemetry.tank_key, telemetry.created_at::timestamptz, telemetry.fill_percentage
    from unnest(tank_keys, instants) wanted (tank_key, instant)
    join telemetry on telemetry.tank_key = wanted.tank_key and telemetry.created_at = wanted.instant
    where telemetry.tank_key = any (tank_keys);
end $$;
-- file: platform/cluster/sql/mirror_tank_keys.sql
-- A count on a worker refers to the key of its tank, of which every node has a copy.
create or replace function mirror_tank_keys() returns trigger language plpgsql set plan_cache_mode = auto as $$
declare
  keys bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(key) into keys from new_rows;
    if keys is not null then insert into tank_keys select unnest(keys); end if;
  else
    select array_agg(key) into keys from old_rows;
    if keys is not null then delete from tank_keys where key = any (keys); end if;
  end if;
  return null;
end $$;
-- file: platform/cluster/sql/note_changed_readings.sql
-- The triggers of the readings run on the workers, where there are no notes, so whoever writes readings notes them here, before
-- keep_tank_states(). That calls this, too, without instants: of tanks whose readings nobody has noted, as written by hand, all times are.
create or replace function note_changed_readings(tank_keys bigint[], instants timestamptz[]) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if instants is not null then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(instant), max(instant)
    from unnest(tank_keys, instants) changed (tank_key, instant) group by tank_key;
    perform set_config('tank_monitoring.changes', 'noted', true);
  elsif current_setting('tank_monitoring.changes', true) = 'noted' then
    perform set_config('tank_monitoring.changes', '', true);
  else
    insert into change_notes (kind, tank_key, since, until)
    select distinct 'r', key, timestamptz '0001-01-01Z', timestamptz '9999-12-31T23:59:59.999Z' from unnest(tank_keys) key;
  end if;
end $$;
-- file: platform/cluster/sql/readings_of.sql
-- Of each tank its readings at and after an instant, and some before it, newest first; without an instant, its newest; null for a
-- tank without any. One question to all nodes for 2,000 tanks. A tank with readings has a count of all of them, which leads each node
-- to its tanks; nodes without one of the keys are not asked. The instants are found by the place of the key: Citus refuses a join
-- with a list here.
create or replace function readings_of(tank_keys bigint[], sinces timestamptz[], before integer)
returns table (tank_key bigint, moments timestamptz[], fills double precision[])
language plpgsql stable set plan_cache_mode = auto as $$
declare
  keys bigint[]; froms timestamptz[];
begin
  for place in 1 .. coalesce(cardinality(tank_keys), 0) by 2000 loop
    keys := tank_keys[place : place + 1999];
    froms := sinces[place : place + 1999];
    return query
      with found as materialized (
        select counted.tank_key, newer.moments || older.moments as moments, newer.fills || older.fills as fills
        from telemetry_counts counted
        cross join lateral (
          select array_agg(telemetry.created_at order by telemetry.created_at desc) as moments,
                 array_agg(telemetry.fill_percentage order by telemetry.created_at desc) as fills
          from telemetry
          where telemetry.tank_key = counted.tank_key
            and telemetry.created_at >= froms[array_position(keys, counted.tank_key)]
        ) newer
        cross join lateral (
          select array_agg(reading.created_at order by reading.created_at desc) as moments,
                 array_agg(reading.fill_percentage order by reading.created_at desc) as fills
          from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                where telemetry.tank_key = counted.tank_key
                  and telemetry.created_at < coalesce(froms[array_position(keys, counted.tank_key)], 'infinity')
                order by telemetry.created_at desc limit before) reading
        ) older
        where counted.tank_key = any (keys) and counted.level = 0
      )
      select wanted.tank_key, found.moments::timestamptz[], found.fills
      from unnest(keys) wanted (tank_key) left join found on found.tank_key = wanted.tank_key;
  end loop;
end $$;
-- file: platform/cluster/sql/remove_old_readings.sql
-- Removes at most "most" readings of these tanks from before an instant, and returns their tanks in order, one element a reading: the
-- workers find the old readings, and the coordinator deletes them.
create or replace function remove_old_readings(tank_keys bigint[], until timestamptz, most integer)
returns bigint[] language plpgsql set plan_cache_mode = auto as $$
declare
  old_keys bigint[]; old_instants timestamptz[];
begin
  select array_agg(tank_key), array_agg(created_at) into old_keys, old_instants
  from (
    select counted.tank_key, reading.created_at
    from telemetry_counts counted
    cross join lateral (
      select telemetry.created_at from telemetry
      where telemetry.tank_key = counted.tank_key and telemetry.tank_key = any (tank_keys)
        and telemetry.created_at < until
      order by telemetry.created_at limit most
    ) reading
    where counted.tank_key = any (tank_keys) and counted.level = 0
    order by counted.tank_key, reading.created_at limit most
  ) old;
  if old_keys is null then return null; end if;
  perform hold_tanks(old_keys);
  with old as materialized (select * from unnest(old_keys, old_instants) old (tank_key, instant))
  delete from telemetry using old
  where telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant;
  perform note_changed_readings(old_keys, old_instants);
  return old_keys;
end $$;
-- file: platform/cluster/sql/tanks_being_written.sql
-- A writer's commit is seen here before the workers have committed, but its lock (see hold_tanks) is kept until they have: so notes that
-- were seen before this call are of readings that are committed everywhere, unless their lock is held still. A lock is let go of at once.
-- One that is held is waited for, for a second in all: where there is always a next writer, it would never be free.
create or replace function tanks_being_written() returns integer[] language plpgsql set lock_timeout = '100ms' as $$
declare
  tanks constant integer := hashtext('tank_monitoring.tanks');
  waits_until timestamptz := clock_timestamp() + interval '1 second';
  busy integer[] := '{}';
begin
  for number in 0 .. 63 loop
    if pg_try_advisory_lock_shared(tanks, number) then
      perform pg_advisory_unlock_shared(tanks, number);
    elsif clock_timestamp() > waits_until then
      busy := busy || number;
    else
      begin
        perform pg_advisory_lock_shared(tanks, number);
        perform pg_advisory_unlock_shared(tanks, number);
      exception when lock_not_available then
        busy := busy || number;
      end;
    end if;
  end loop;
  return busy;
end $$;
-- file: customers/sql/write_customer.sql
-- Writes a customer: a new one when "version" is null, otherwise the one that was read in this version. Returns it as it is now, with
-- the number of its tanks; or nothing when it is another version now, or when it owns another number of tanks than "tanks_then" (null:
-- it does not matter). "given" are the columns that change. An id that is null is made here.
--
-- Locks: the table, as in write_tank(), and the customer, so that nobody gives it a tank meanwhile.
create or replace function write_customer(customer_id text, version text, given jsonb, tanks_then bigint)
returns table (customer customers, tank_count bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock timestamptz;
  fresh customers;
begin
  lock table customers in row exclusive mode;
  if version is not null then
    select * into fresh from customers where id = customer_id and xmin::text = version for update;
    if not found then return; end if;
  end if;
  tank_count := (select count(*) from tanks where owner_id = customer_id and not deleted);
  if tank_count <> tanks_then then return; end if;

  perform set_config('tank_monitoring.updated_at', 'given', true);
  clock := date_trunc('milliseconds', clock_timestamp());
  fresh := jsonb_populate_record(fresh, given);
  if version is null then
    insert into customers (id, created_at, updated_at, email, name, phone, is_verified, verified_at, last_seen_at)
    values (coalesce(customer_id, new_id()), coalesce(fresh.created_at, clock), clock, fresh.email, fresh.name, fresh.phone,
            fresh.is_verified, fresh.verified_at, fresh.last_seen_at)
    on conflict (id) do nothing
    returning customers.* into customer;
  else
    update customers
    set updated_at = least(greatest(clock, fresh.updated_at + interval '1 millisecond'), '9999-12-31 23:59:59.999Z'),
        deleted = fresh.deleted, email = fresh.email, name = fresh.name, phone = fresh.phone, is_verified = fresh.is_verified,
        verified_at = fresh.verified_at, last_seen_at = fresh.last_seen_at
    where customers.id = customer_id
    returning customers.* into customer;
  end if;
  if found then return next; end if;
end $$;
revoke execute on function write_customer from public;
-- file: fleet/sql/caseless.sql
-- Makes texts that differ in case only the same, in any script: "ß" and "SS", "ς" and "Σ". The server's own rules may know ASCII only, so
-- Unicode's are named: ICU's where the server has them, or the server's copy (from 17 on). ASCII needs neither.
do $do$
declare
  rules text;
begin
  select collname into rules from pg_collation
  where collname in ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8')
    and collencoding in (-1, (select encoding from pg_database where datname = current_database()))
  order by array_position(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8']::name[], collname) limit 1;
  execute format($create$
    create or replace function caseless(original text) returns text language sql immutable parallel safe as $$
      select case when octet_length(original) = length(original) then upper(original collate "C")
                  else upper(lower(original collate %1$I) collate %1$I) collate "C" end
    $$ $create$, coalesce(rules, 'default'));
end $do$;
-- file: fleet/sql/change_fleet_counts.sql
-- Appends changes, and now and then adds them up: writers of different tanks would wait for each other's rows of fleet_counts.
create or replace function change_fleet_counts(groups smallint[], changes bigint[]) returns void language plpgsql as $$
begin
  insert into fleet_count_changes (fleet_group, n)
  select fleet_group, sum(n) from unnest(groups, changes) change (fleet_group, n)
  where fleet_group is not null group by fleet_group having sum(n) <> 0;
  if random() < 0.02 then perform fold_fleet_counts(); end if;
end $$;
-- file: fleet/sql/expect_insert.sql
-- An upsert fires the triggers of its updates before those of its inserts: states would be locked before the counts of the inserts are.
-- So while an insert is under way, updates leave their tanks to the trigger that comes last.
create or replace function expect_insert() returns trigger language plpgsql as $$
begin
  if current_setting('tank_monitoring.states', true) is distinct from 'by_caller' then
    perform set_config('tank_monitoring.upserted_' || tg_table_name, '{}', true);
  end if;
  return null;
end $$;
-- file: fleet/sql/falls_of_tank.sql
-- For a tank's consumption: the falls between neighbouring readings of the last 336 hours, without refills and wrong readings.
create or replace function falls_of_tank(tank bigint, reported_at timestamptz, silent_after_seconds integer)
returns table (used double precision, covered_ms double precision, since timestamptz) language sql stable rows 1 as $$
  select sum(before_fill::numeric - fill::numeric)::float8,
         round(date_part('epoch', sum(at - before_at)) * 1000)::float8,
         min(before_at)
  from (
    select at, fill, lag(at) over earlier as before_at, lag(fill) over earlier as before_fill
    from readings_of(array[tank], array[reported_at - interval '336 hours'], 0) found,
         unnest(found.moments, found.fills) reading (at, fill)
    where at <= reported_at
    window earlier as (order by at)
  ) pair
  where at - before_at <= silent_after_seconds * interval '1 second'
    and round((fill - before_fill) * 1e6) < 5e6
    and round((before_fill - fill) * 1e6) <= 20e6
$$;
-- file: fleet/sql/fold_fleet_counts.sql
-- Adds the visible changes to the counts, under a lock that nobody waits for: whoever finds it taken leaves the work to another. The
-- snapshot must be newer than the lock, so read committed.
create or replace function fold_fleet_counts() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
     or not pg_try_advisory_xact_lock(hashtextextended('tank_monitoring.fleet_counts', 0)) then
    return;
  end if;
  with folded as (delete from fleet_count_changes returning fleet_group, n)
  insert into fleet_counts as counted (fleet_group, n)
  select fleet_group, sum(n) from folded group by fleet_group having sum(n) <> 0
  on conflict (fleet_group) do update set n = counted.n + excluded.n;
end $$;
-- file: fleet/sql/keep_states_of_readings.sql
create or replace function keep_states_of_readings() returns trigger language plpgsql as $$
declare
  tank_keys bigint[];
begin
  if current_setting('tank_monitoring.states', true) = 'by_caller'
     or current_setting('citus.enable_ddl_propagation', true) = 'off' -- on a cluster: only the coordinator's own copy goes
     or tg_table_name <> 'telemetry' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    select array_agg(distinct tank_key) into tank_keys from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct tank_key) into tank_keys from old_rows;
  elsif tg_op = 'UPDATE' then
    select array_agg(tank_key) into tank_keys
    from (select tank_key from new_rows union select tank_key from old_rows) touched;
  else
    select array_agg(tank_key) into tank_keys from tank_states where reported_at is not null;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then tank_keys := take_upserted('telemetry', tg_op = 'INSERT', tank_keys); end if;
  if tank_keys <> '{}' then perform keep_tank_states(tank_keys); end if;
  return null;
end $$;
-- file: fleet/sql/keep_states_of_tanks.sql
-- Trigger names sort after those of the counts, so that every writer takes the locks of counts before those of states.
create or replace function keep_states_of_tanks() returns trigger language plpgsql as $$
declare
  tank_keys bigint[]; groups smallint[]; changes bigint[];
begin
  if tg_op = 'INSERT' then
    with added as (
      insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage)
      select key, id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage from new_rows
      returning fleet_group
    )
    select array_agg(fleet_group), array_agg(n) into groups, changes
    from (select fleet_group, count(*) as n from added where fleet_group is not null group by fleet_group) change;
    tank_keys := take_upserted('tanks', true, '{}');
  elsif tg_op = 'DELETE' then
    perform from tank_states where tank_key in (select key from old_rows) order by tank_key for update;
    with removed as (
      delete from tank_states where tank_key in (select key from old_rows) returning fleet_group
    )
    select array_agg(fleet_group), array_agg(-n) into groups, changes
    from (select fleet_group, count(*) as n from removed where fleet_group is not null group by fleet_group) change;
  elsif tg_op = 'TRUNCATE' then
    truncate tank_states;
    delete from fleet_counts;
    delete from fleet_count_changes;
  elsif current_setting('tank_monitoring.states', true) is distinct from 'by_caller' then
    select array_agg(key) into tank_keys
    from new_rows after join old_rows before using (key)
    where (after.id, after.owner_id, after.use_case, after.created_at, after.deleted, after.min_fill_alert_percentage)
      is distinct from
          (before.id, before.owner_id, before.use_case, before.created_at, before.deleted, before.min_fill_alert_percentage);
    tank_keys := take_upserted('tanks', false, tank_keys);
  end if;
  if tank_keys <> '{}' then
    perform note_changed_readings('{}', '{}'); -- none were written
    perform keep_tank_states(tank_keys);
  end if;
  if groups is not null then perform change_fleet_counts(groups, changes); end if;
  return null;
end $$;
-- file: fleet/sql/keep_tank_states.sql
-- Computes the states of these tanks anew and writes what has changed. Two statements, each with its own snapshot: first the states are
-- locked in the order of their keys, so that one writer of a tank passes at a time, and the second sees what the others committed.
-- Whoever writes readings or tanks in several statements sets tank_monitoring.states = 'by_caller' for its transaction and calls this
-- once, last, with every tank it touched: so states are locked once, in one order.
-- A tank with which something may have happened is noted to be judged, with the newest reading that was known, and for each write its
-- time and the reading it reached, which decide what is history. Not noted is what cannot matter: a newest reading of more than seven
-- days ago, and the plain case: at most one reading that is newer than the known one, above the threshold and without a rise of nearly
-- five points, of a tank that is not silent and of which nothing is remembered.
-- Tables that were empty when they were last analyzed would be read as a whole for each tank, so sequential scans are off; JIT too, which their price in a plan would start.
create or replace function keep_tank_states(tank_keys bigint[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
  clock timestamptz; groups smallint[]; changes bigint[];
begin
  perform note_changed_readings(tank_keys, null);
  perform hold_tanks(tank_keys);
  perform from tank_states where tank_key = any (tank_keys) order by tank_key for no key update;
  clock := clock_timestamp();

  with fresh as (
    select *, coalesce(silent_at < clock, false) as silent from states_of_tanks(tank_keys)
  ), kept as (
    update tank_states state
    set tank_id = fresh.tank_id, owner_id = fresh.owner_id, use_case = fresh.use_case,
        created_at = fresh.created_at, deleted = fresh.deleted,
        min_fill_alert_percentage = fresh.min_fill_alert_percentage, reported_at = fresh.reported_at,
        fill_percentage = fresh.fill_percentage, low = fresh.low,
        silent_after_seconds = fresh.silent_after_seconds, silent_at = fresh.silent_at, silent = fresh.silent
    from fresh join tank_states before on before.tank_key = fresh.tank_key
    where state.tank_key = fresh.tank_key
      and (before.tank_id, before.owner_id, before.use_case, before.created_at, before.deleted,
           before.min_fill_alert_percentage, before.reported_at, before.fill_percentage, before.low,
           before.silent_after_seconds, before.silent_at, before.silent)
        is distinct from
          (fresh.tank_id, fresh.owner_id, fresh.use_case, fresh.created_at, fresh.deleted,
           fresh.min_fill_alert_percentage, fresh.reported_at, fresh.fill_percentage, fresh.low,
           fresh.silent_after_seconds, fresh.silent_at, fresh.silent)
    returning before.fleet_group as group_before, state.fleet_group as group_now, state.tank_key, state.deleted,
              state.reported_at, state.silent, state.min_fill_alert_percentage as threshold,
              before.reported_at as known_at, before.fill_percentage as known_fill, before.deleted as was_deleted,
              before.silent as was_silent, before.min_fill_alert_percentage as known_threshold,
              coalesce(
                fresh.moments[1] = before.reported_at and fresh.fills[1] = before.fill_percentage
                or fresh.moments[2] = before.reported_at and fresh.fills[2] = before.fill_percentage and not fresh.low
                   and fresh.fills[1] - fresh.fills[2] < 4.9, false) as is_plain
  ), noted as (
    insert into tanks_to_judge as note
      (tank_key, known_at, known_fill, known_threshold, was_silent, was_restored, written_at, reached)
    select kept.tank_key, kept.known_at, kept.known_fill, kept.known_threshold, kept.was_silent, kept.was_deleted,
           array[clock], array[kept.reported_at]
    from kept
    left join tank_alerts alert on alert.tank_key = kept.tank_key
    left join tanks_to_judge waiting on waiting.tank_key = kept.tank_key
    where not kept.deleted and current_setting('tank_monitoring.events', true) is distinct from 'off'
      and (kept.was_deleted or waiting.tank_key is not null or kept.threshold <> kept.known_threshold
           or kept.silent and not kept.was_silent and kept.reported_at = kept.known_at
           or kept.reported_at >= clock - interval '7 days'
              and (not kept.is_plain or kept.silent or alert.tank_key is not null))
    order by kept.tank_key
    on conflict (tank_key) do update
    set written_at = case when cardinality(note.written_at) < 100 then note.written_at || excluded.written_at else note.written_at end,
        reached = note.reached[1:99] || excluded.reached,
        was_restored = note.was_restored or excluded.was_restored
  )
  select array_agg(moved.fleet_group), array_agg(moved.n) into groups, changes
  from kept cross join lateral (values (group_before, -1), (group_now, 1)) moved (fleet_group, n)
  where group_before is distinct from group_now;

  if groups is not null then perform change_fleet_counts(groups, changes); end if;
end $$;
-- file: fleet/sql/mark_silent_tanks.sql
-- Marks tanks that have fallen silent, and notes that they are to be judged. Any number of services may do this at once.
create or replace function mark_silent_tanks(at_most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  late bigint[]; groups smallint[]; changes bigint[];
begin
  perform hold_tanks('{}'); -- before any state, as in keep_tank_states()
  select array_agg(tank_key) into late from (
    select tank_key from tank_states
    where fleet_group is not null and not silent and silent_at < now()
    order by silent_at limit at_most for no key update skip locked) locked;
  if late is null then return 0; end if;

  with marked as (
    update tank_states state set silent = true
    from tank_states before
    where state.tank_key = any (late) and before.tank_key = state.tank_key
    returning before.fleet_group as group_before, state.fleet_group as group_now
  )
  select array_agg(moved.fleet_group), array_agg(moved.n) into groups, changes
  from marked cross join lateral (values (group_before, -1), (group_now, 1)) moved (fleet_group, n);
  perform change_fleet_counts(groups, changes);
  insert into tanks_to_judge (tank_key, known_at, known_fill, known_threshold, was_silent, was_restored, written_at, reached)
  select tank_key, reported_at, fill_percentage, min_fill_alert_percentage, false, false,
         array[clock_timestamp()], array[reported_at]
  from tank_states where tank_key = any (late) order by tank_key
  on conflict (tank_key) do nothing;
  return cardinality(late);
end $$;
revoke execute on function mark_silent_tanks from public;
-- file: fleet/sql/silent_after.sql
-- After how many seconds without a reading a tank counts as silent, by the moments of its newest ten, newest first: three times the median
-- of their gaps, from an hour to seven days; a day while there are fewer than three. Gaps are whole milliseconds, so that nothing is
-- lost before the seconds are rounded. One row, and not a value, since only such a function becomes part of the statement that calls it.
create or replace function silent_after(moments timestamptz[]) returns table (seconds integer) language sql immutable rows 1 as $$
  select case when count(*) < 2 then 86400 else least(greatest(round(
           3 * percentile_cont(0.5) within group (order by round(date_part('epoch', later - earlier) * 1000))::numeric / 1000),
           3600), 604800)::integer end
  from (select unnest(moments) as later, unnest(moments[2:]) as earlier) gap where earlier is not null
$$;
-- file: fleet/sql/states_of_tanks.sql
-- The state of each tank as it should be, by its row and its newest ten readings; a tank without readings has one, too. "moments" and
-- "fills" are those readings, newest first.
create or replace function states_of_tanks(tank_keys bigint[])
returns table (tank_key bigint, tank_id text, owner_id text, use_case text, created_at timestamptz, deleted boolean,
               min_fill_alert_percentage integer, reported_at timestamptz, fill_percentage double precision, low boolean,
               silent_after_seconds integer, silent_at timestamptz, moments timestamptz[], fills double precision[])
language sql stable as $$
  with newest as materialized (
    select * from readings_of(tank_keys, '{}', 10)
  )
  select tank.key, tank.id, tank.owner_id, tank.use_case, tank.created_at, tank.deleted, tank.min_fill_alert_percentage,
         newest.moments[1], newest.fills[1], coalesce(newest.fills[1] <= tank.min_fill_alert_percentage, false),
         pause.seconds, newest.moments[1] + pause.seconds * interval '1 second', newest.moments, newest.fills
  from newest
  join tanks tank on tank.key = newest.tank_key
  cross join lateral silent_after(newest.moments) pause
$$;
-- file: fleet/sql/take_upserted.sql
-- The tanks that the trigger of an upsert has to keep the states of: see expect_insert().
create or replace function take_upserted(of_table text, is_insert boolean, tank_keys bigint[]) returns bigint[] language plpgsql as $$
declare
  setting text := 'tank_monitoring.upserted_' || of_table;
  upserted bigint[] := nullif(current_setting(setting, true), '');
begin
  if upserted is null then return tank_keys; end if;
  perform set_config(setting, case when is_insert then '' else (upserted || tank_keys)::text end, true);
  return case when is_insert then upserted || tank_keys end;
end $$;
-- file: ingest/sql/write_readings.sql
-- A "target" is a tank as a request names it. Readings refer to targets, so that a tank is looked up once per request.
-- "store" is what becomes of the good readings of a target's request: they are stored ('good'), or only if none of the request
-- is refused ('all'), or not at all, since others of it were refused before ('none').
--
-- Locks are taken in the order all writers of readings keep: new readings by (tank, instant), their counts, then the
-- existing readings by (tank, instant), last the tanks' states. So writers queue, and do not deadlock.
--
-- Requests that are written together are answered as if one came after the other: the values of a reading form a sequence,
-- starting with the stored one, and each is compared with the one before it.
create or replace function write_readings(
  target_requests integer[], target_stores text[], target_customers text[], tank_ids text[], device_ids text[],
  targets integer[], instants timestamptz[], fills double precision[],
  lock_timeout_ms integer,
  out target_codes text[],
  out requests integer[], out created integer[], out updated integer[], out unchanged integer[]
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  target_keys bigint[];                                                           -- 0: nothing is stored of it
  refused_requests integer[];
  sent_keys bigint[]; sent_instants timestamptz[]; sent_fills float8[]; sent_requests integer[];
  last_keys bigint[]; last_instants timestamptz[]; last_fills float8[];           -- what is stored in the end
  new_keys bigint[] := '{}'; new_instants timestamptz[] := '{}';                  -- were not there before
  old_keys bigint[] := '{}'; old_instants timestamptz[] := '{}'; old_fills float8[] := '{}';
  more_keys bigint[]; more_instants timestamptz[]; other_keys bigint[]; other_instants timestamptz[];
  changed_keys bigint[] := '{}'; changed_instants timestamptz[] := '{}';
begin
  perform set_config('lock_timeout', lock_timeout_ms::text, true);

  select array_agg(found.key order by n), array_agg(found.code order by n) into target_keys, target_codes
  from unnest(target_customers, tank_ids, device_ids) with ordinality target (customer, tank_id, device_id, n)
  cross join lateral (
    select case when count(*) = 1 and not bool_or(deleted) then min(key) else 0 end as key,
           case when count(*) = 1 and not bool_or(deleted) then ''
                when count(*) = 1 then 'deleted_tank'
                when count(*) > 1 then 'ambiguous_device'
                when tank_id is null then 'unknown_device'
                else 'unknown_tank' end as code
    from (
      select tanks.key, tanks.deleted from tanks
      where tanks.id = tank_id and (customer is null or tanks.owner_id = customer)
      union all
      select tanks.key, tanks.deleted from tanks
      where device_key(tanks.assigned_device_id) = device_key(device_id) and not tanks.deleted
        and (customer is null or tanks.owner_id = customer)
    ) tank
  ) found;

  refused_requests := array(
    select distinct request from unnest(target_requests, target_codes) target (request, code) where code <> '');
  if cardinality(refused_requests) > 0 or 'none' = any (target_stores) then
    target_keys := array(
      select case when store = 'good' or store = 'all' and request <> all (refused_requests) then key else 0 end
      from unnest(target_requests, target_stores, target_keys) with ordinality target (request, store, key, n)
      order by n);
  end if;

  -- Of several readings of a tank and instant in one request, the last counts.
  select array_agg(tank_key), array_agg(instant), array_agg(fill), array_agg(request)
  into sent_keys, sent_instants, sent_fills, sent_requests
  from (
    select distinct on (tank_key, instant, request) tank_key, instant, fill, request
    from (
      select target_keys[target] as tank_key, instant, fill, target_requests[target] as request, n
      from unnest(targets, instants, fills) with ordinality sent (target, instant, fill, n)
    ) sent
    where tank_key > 0
    order by tank_key, instant, request, n desc
  ) sent;
  if sent_keys is null then return; end if;

  select array_agg(tank_key), array_agg(instant), array_agg(fill) into last_keys, last_instants, last_fills
  from (
    select distinct on (tank_key, instant) tank_key, instant, fill
    from unnest(sent_keys, sent_instants, sent_fills, sent_requests) sent (tank_key, instant, fill, request)
    order by tank_key, instant, request desc
  ) last;

  -- The caller keeps the tanks' states, once at the end.
  perform set_config('tank_monitoring.states', 'by_caller', true);
  perform hold_tanks(last_keys);
  loop
    select coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(instant), '{}') into more_keys, more_instants
    from insert_readings(last_keys, last_instants, last_fills);
    new_keys := new_keys || more_keys;
    new_instants := new_instants || more_instants;
    exit when cardinality(new_keys) = cardinality(last_keys);

    -- The others exist; locked, they stay as they are seen here.
    select array_agg(tank_key), array_agg(instant) into other_keys, other_instants
    from (
      select tank_key, instant
      from (
        select tank_key, instant, false as is_new from unnest(last_keys, last_instants) last (tank_key, instant)
        union all
        select tank_key, instant, true from unnest(new_keys, new_instants) new (tank_key, instant)
      ) reading
      group by tank_key, instant having not bool_or(is_new)
    ) other;
    select coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(instant), '{}'), coalesce(array_agg(level), '{}')
    into old_keys, old_instants, old_fills from lock_readings(other_keys, other_instants);
    -- One that was deleted in between is inserted after all.
    exit when cardinality(new_keys) + cardinality(old_keys) = cardinality(last_keys);
  end loop;

  if cardinality(old_keys) > 0 then
    with updated as (
      update telemetry set fill_percentage = changed.fill
      from (
        select tank_key, instant, min(fill) as fill
        from (
          select tank_key, instant, fill, null::float8 as old_fill
          from unnest(last_keys, last_instants, last_fills) last (tank_key, instant, fill)
          union all
          select tank_key, instant, null, fill from unnest(old_keys, old_instants, old_fills) old (tank_key, instant, fill)
        ) reading
        group by tank_key, instant having min(fill) <> min(old_fill)
      ) changed
      where telemetry.tank_key = changed.tank_key and telemetry.created_at = changed.instant
      returning telemetry.tank_key, telemetry.created_at
    )
    select coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(created_at), '{}')
    into changed_keys, changed_instants from updated;
  end if;
  changed_keys := new_keys || changed_keys;
  if cardinality(changed_keys) > 0 then
    perform note_changed_readings(changed_keys, new_instants || changed_instants);
    perform keep_tank_states(array(select distinct tank_key from unnest(changed_keys) changed (tank_key)));
  end if;

  select array_agg(request), array_agg(created_here), array_agg(updated_here), array_agg(unchanged_here)
  into requests, created, updated, unchanged
  from (
    select request, count(*) filter (where before is null) as created_here,
           count(*) filter (where before <> fill) as updated_here,
           count(*) filter (where before = fill) as unchanged_here
    from (
      select request, fill, lag(fill) over (partition by tank_key, instant order by request) as before
      from (
        select tank_key, instant, fill, request
        from unnest(sent_keys, sent_instants, sent_fills, sent_requests) sent (tank_key, instant, fill, request)
        union all
        select tank_key, instant, fill, 0 from unnest(old_keys, old_instants, old_fills) old (tank_key, instant, fill)
      ) reading
    ) compared
    where request > 0
    group by request
  ) request;
end $$;
revoke execute on function write_readings from public;
-- file: sensors/sql/delete_sensor_profile.sql
-- Deletes a sensor profile that was read in this version, and the sensors of deleted tanks that use it. Returns what it is now: 'deleted',
-- 'in_use' by a live tank, or 'changed'. The tanks are locked, so that none is restored meanwhile.
create or replace function delete_sensor_profile(profile_id text, version text) returns text language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform from sensor_profiles where id = profile_id and xmin::text = version for update;
  if not found then return 'changed'; end if;
  perform from tank_sensors sensor join tanks on tanks.key = sensor.tank_key
  where sensor.profile_id = delete_sensor_profile.profile_id and tanks.deleted
  order by tanks.key for share of tanks;
  if exists (
    select from tank_sensors sensor join tanks on tanks.key = sensor.tank_key
    where sensor.profile_id = delete_sensor_profile.profile_id and not tanks.deleted) then
    return 'in_use';
  end if;
  delete from sensor_profiles where id = profile_id;
  return 'deleted';
end $$;
revoke execute on function delete_sensor_profile from public;
-- file: sensors/sql/discard_uplink.sql
-- Removes an uplink from quarantine, of a customer or, for null, of any. Returns whether it was there.
create or replace function discard_uplink(uplink_id text, customer text) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  delete from quarantined_uplinks where id = uplink_id and (customer is null or customer_id = customer);
  return found;
end $$;
revoke execute on function discard_uplink from public;
-- file: sensors/sql/drop_old_uplinks.sql
-- Keeps the quarantine within its bounds: drops at most "most" of the oldest that are too many, and returns how many those were.
create or replace function drop_old_uplinks(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  dropped integer;
begin
  delete from quarantined_uplinks where id = any (array( -- found once, whatever the planner thinks of the table's size
    select id
    from (
      select id, created_at, row_number() over newest as place, sum(bytes) over newest as bytes_up_to_here,
             row_number() over (partition by device_id, customer_id order by created_at desc, id desc) as place_of_device
      from quarantined_uplinks
      window newest as (order by created_at desc, id desc)
    ) kept
    where created_at < now() - interval '30 days' or place_of_device > 1000
      or place > 100000 or bytes_up_to_here > 1073741824
    limit most));
  get diagnostics dropped = row_count;
  return dropped;
end $$;
revoke execute on function drop_old_uplinks from public;
-- file: sensors/sql/write_sensor_profile.sql
-- Writes a sensor profile: a new one when "version" is null, otherwise the one that was read in this version. Returns it as it is now, or
-- nothing when it is another version now; as a record, since this function is installed before its table. "updated_at" moves forward, and only when something changes.
create or replace function write_sensor_profile(profile_id text, version text, given jsonb)
returns setof record language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock timestamptz := date_trunc('milliseconds', clock_timestamp());
  fresh sensor_profiles := jsonb_populate_record(null::sensor_profiles, given);
begin
  if version is null then
    return query
      insert into sensor_profiles (id, created_at, updated_at, name, level_path, level_unit, battery_path, temperature_path, reject_when)
      values (profile_id, coalesce(fresh.created_at, clock), clock, fresh.name, fresh.level_path, fresh.level_unit,
              fresh.battery_path, fresh.temperature_path, fresh.reject_when)
      on conflict (id) do nothing
      returning sensor_profiles.*;
  else
    return query
      update sensor_profiles profile
      set updated_at = greatest(clock, profile.updated_at + interval '1 millisecond'), name = fresh.name,
          level_path = fresh.level_path, level_unit = fresh.level_unit, battery_path = fresh.battery_path,
          temperature_path = fresh.temperature_path, reject_when = fresh.reject_when
      where profile.id = profile_id and profile.xmin::text = version
      returning profile.*;
  end if;
end $$;
revoke execute on function write_sensor_profile from public;
-- file: sensors/sql/write_tank_sensor.sql
-- Gives a live tank of a customer (null: of any) a sensor: 'created', 'updated', or 'changed' when the tank, the profile or the sensor
-- ("profile" and "calibration" are null for none) is no longer what it was found to be. A "new_profile" that is null takes it away.
create or replace function write_tank_sensor(
  tank text, customer text, old_profile text, old_calibration jsonb, new_profile text, new_calibration jsonb
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_key bigint;
begin
  -- The profile before the sensors, as its deletion locks them.
  perform from sensor_profiles where id = new_profile for key share;
  if new_profile is not null and not found then return 'changed'; end if;
  select key into found_key from tanks
  where id = tank and not deleted and (customer is null or owner_id = customer) for key share;
  if not found then return 'changed'; end if;
  if old_profile is null then
    insert into tank_sensors (tank_key, profile_id, calibration) values (found_key, new_profile, new_calibration)
    on conflict (tank_key) do nothing;
    return case when found then 'created' else 'changed' end;
  end if;
  perform from tank_sensors sensor
  where tank_key = found_key and profile_id = old_profile and calibration is not distinct from old_calibration
  for update;
  if not found then return 'changed'; end if;
  if new_profile is null then
    delete from tank_sensors where tank_key = found_key;
    return 'deleted';
  end if;
  update tank_sensors set profile_id = new_profile, calibration = new_calibration where tank_key = found_key;
  return 'updated';
end $$;
revoke execute on function write_tank_sensor from public;
-- file: sensors/sql/write_uplinks.sql
-- write_readings() for requests of which some are uplinks, with what else those leave, in the same transaction: what they say about the
-- sensor of their tank, and the ones that could not become a reading, in quarantine. "uplinks" is an array, one element an uplink:
--   request            its number, counted from 1
--   tank_key           the tank whose sensor it is about; null for none
--   is_status          it is about the battery only
--   sent_at, battery_percent, temperature_celsius, rssi_dbm, snr_db, gateway_id, frame_counter, level, fill_percentage
--   source, customer_id, device_id       with sent_at what it is in quarantine; source is null when it never gets there
--   reason             why it is kept there; null when it became a reading, and leaves
--   payload            what is kept
--   kept_as            its id, when it is tried again: only its reason may change
-- After the locks of write_readings() come those of the sensors and of what is in quarantine, by tank and device.
create or replace function write_uplinks(
  target_requests integer[], target_stores text[], target_customers text[], tank_ids text[], device_ids text[],
  targets integer[], instants timestamptz[], fills double precision[],
  lock_timeout_ms integer, uplinks json,
  out target_codes text[],
  out requests integer[], out created integer[], out updated integer[], out unchanged integer[],
  out uplink_ids text[]
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  refused integer[] := '{}';
  said record;
  kept_id text;
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  select coalesce(written.target_codes, '{}'), written.requests, written.created, written.updated, written.unchanged
  into target_codes, requests, created, updated, unchanged
  from write_readings(target_requests, target_stores, target_customers, tank_ids, device_ids, targets, instants, fills,
                      lock_timeout_ms) written;
  -- Of these the tank has gone meanwhile: the caller finds out what they mean now.
  if cardinality(array_remove(target_codes, '')) > 0 then
    refused := array(
      select request from unnest(target_requests, target_codes) target (request, code) where code <> '');
  end if;

  for said in
    select * from json_to_recordset(uplinks) uplink (
      request integer, tank_key bigint, is_status boolean, sent_at timestamptz, battery_percent float8,
      temperature_celsius float8, rssi_dbm float8, snr_db float8, gateway_id text, frame_counter bigint, level float8,
      fill_percentage float8, source text, customer_id text, device_id text, reason text, payload text, kept_as text)
    order by tank_key, device_id, sent_at, source, customer_id, request
  loop
    continue when said.request = any (refused);
    if said.tank_key is not null and not said.is_status then
      update tank_sensors
      set received_at = said.sent_at, temperature_celsius = said.temperature_celsius, rssi_dbm = said.rssi_dbm,
          snr_db = said.snr_db, gateway_id = said.gateway_id, frame_counter = said.frame_counter, level = said.level,
          fill_percentage = said.fill_percentage,
          battery_percent = case when said.battery_percent is not null and coalesce(battery_at <= said.sent_at, true)
                                 then said.battery_percent else battery_percent end,
          battery_at = case when said.battery_percent is not null and coalesce(battery_at <= said.sent_at, true)
                            then said.sent_at else battery_at end
      where tank_key = said.tank_key and coalesce(received_at <= said.sent_at, true);
    end if;
    -- What a status message says, or an uplink that is not the newest.
    if said.tank_key is not null and said.battery_percent is not null and (said.is_status or not found) then
      update tank_sensors set battery_percent = said.battery_percent, battery_at = said.sent_at
      where tank_key = said.tank_key and coalesce(battery_at <= said.sent_at, true);
    end if;

    if said.source is null then continue;
    elsif said.reason is null then
      delete from quarantined_uplinks
      where device_id = said.device_id and sent_at = said.sent_at and source = said.source
        and coalesce(customer_id, '') = coalesce(said.customer_id, '');
    elsif said.kept_as is not null then
      update quarantined_uplinks set reason = said.reason where id = said.kept_as and reason <> said.reason;
    else
      insert into quarantined_uplinks as kept (id, created_at, source, customer_id, device_id, sent_at, reason, payload)
      values (event_id(moment, said.request), moment, said.source, said.customer_id, said.device_id, said.sent_at,
              said.reason, said.payload)
      on conflict (device_id, sent_at, source, coalesce(customer_id, ''))
        do update set reason = excluded.reason, payload = excluded.payload
      returning id into kept_id;
      -- Without this, an array that begins elsewhere would begin there.
      uplink_ids := coalesce(uplink_ids, array_fill(null::text, array[1]));
      uplink_ids[said.request] := kept_id;
    end if;
  end loop;
end $$;
revoke execute on function write_uplinks from public;
-- file: tanks/sql/device_key.sql
-- What two spellings of one device have in common: an EUI in upper case without separators, any other id as it is. The service has the
-- same rule in src/tanks/device-key.ts. An index is made of it, so it stays immutable; one expression, so that it is inlined.
create or replace function device_key(id text) returns text language sql immutable parallel safe as $$
  select case
    when length(id) = 16 and id ~ '^[0-9A-Fa-f]{16}$' then upper(id collate "C")
    when length(id) = 23 and id ~ '^[0-9A-Fa-f]{2}((-[0-9A-Fa-f]{2}){7}|(:[0-9A-Fa-f]{2}){7})$'
      then upper(translate(id, '-:', '') collate "C")
    else id end
$$;
-- file: tanks/sql/uncount_tanks.sql
-- TRUNCATE tanks CASCADE empties telemetry_counts, which refers to tanks: the readings must go with them. On a cluster the counts
-- refer to a copy of the tanks' keys on every node.
create or replace function uncount_tanks() returns trigger language plpgsql as $$
begin
  delete from list_counts where list = 'tanks';
  if to_regclass('tank_keys') is null then
    truncate telemetry;
  else
    execute 'truncate telemetry, telemetry_counts, tank_keys';
  end if;
  return null;
end $$;
-- file: tanks/sql/write_tank.sql
-- Writes a tank: a new one when "version" is null, otherwise the one that was read in this version. Returns it as it is now, or nothing
-- when it is another version now, when "owner" is no live customer, or when another live tank has "device"; these two are null
-- where they do not matter. "given" are the columns that change. An id that is null is made here.
--
-- Locks: the device, the table, the owner, the tank. An import locks the tables and then rows of customers, so nobody may hold such a
-- row and wait for the table. The owner is locked against its deletion, which locks it "for update".
create or replace function write_tank(tank_id text, version text, given jsonb, owner text, device text)
returns setof tanks language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock timestamptz;
  fresh tanks;
begin
  if device is not null then
    perform pg_advisory_xact_lock(hashtextextended('tank_monitoring.device ' || device_key(device), 0));
  end if;
  lock table tanks in row exclusive mode;
  if owner is not null then
    perform from customers where id = owner and not deleted for key share;
    if not found then return; end if;
  end if;
  if version is not null then
    select * into fresh from tanks where id = tank_id and xmin::text = version for no key update;
    if not found then return; end if;
  end if;
  if device is not null and exists (
    select from tanks
    where device_key(assigned_device_id) = device_key(device) and not deleted and id is distinct from tank_id) then
    return;
  end if;

  perform set_config('tank_monitoring.updated_at', 'given', true);
  clock := date_trunc('milliseconds', clock_timestamp());
  fresh := jsonb_populate_record(fresh, given);
  if version is null then
    return query
      insert into tanks (id, created_at, updated_at, owner_id, name, custom_id, assigned_device_id, capacity, capacity_unit, use_case,
                         min_fill_alert_percentage, city, country, district, latitude, longitude, postal_code, region, street,
                         street_number)
      values (coalesce(tank_id, new_id()), coalesce(fresh.created_at, clock), clock, fresh.owner_id, fresh.name, fresh.custom_id,
              fresh.assigned_device_id, fresh.capacity, fresh.capacity_unit, fresh.use_case, fresh.min_fill_alert_percentage,
              fresh.city, fresh.country, fresh.district, fresh.latitude, fresh.longitude, fresh.postal_code, fresh.region,
              fresh.street, fresh.street_number)
      on conflict (id) do nothing
      returning tanks.*;
  else
    return query
      update tanks
      set updated_at = least(greatest(clock, fresh.updated_at + interval '1 millisecond'), '9999-12-31 23:59:59.999Z'),
          deleted = fresh.deleted, owner_id = fresh.owner_id, name = fresh.name, custom_id = fresh.custom_id,
          assigned_device_id = fresh.assigned_device_id, capacity = fresh.capacity, capacity_unit = fresh.capacity_unit,
          use_case = fresh.use_case, min_fill_alert_percentage = fresh.min_fill_alert_percentage, city = fresh.city,
          country = fresh.country, district = fresh.district, latitude = fresh.latitude, longitude = fresh.longitude,
          postal_code = fresh.postal_code, region = fresh.region, street = fresh.street, street_number = fresh.street_number
      where tanks.id = tank_id
      returning tanks.*;
  end if;
end $$;
revoke execute on function write_tank from public;
-- file: telemetry/sql/add_telemetry_month.sql
-- Returns how many readings of the month were in the default partition (telemetry_other) and have moved, past the triggers, so they stay
-- counted; null when there was nothing to do. Only those who need the default partition wait for the lock.
create or replace function add_telemetry_month(month date) returns bigint language plpgsql set lock_timeout = '500ms'
security definer set search_path = public, pg_temp as $$
declare
  partition text := 'telemetry_' || to_char(month, 'YYYY_MM');
  month_start timestamptz := month::timestamp at time zone 'UTC';
  month_end timestamptz := (month + interval '1 month') at time zone 'UTC';
  moved bigint;
begin
  perform pg_advisory_xact_lock(hashtext('tank-monitoring old readings'));
  if not telemetry_is_partitioned() or month in (select telemetry_months()) then return null; end if;
  lock table only telemetry in share update exclusive mode;
  lock table telemetry_other in access exclusive mode;
  execute format('create table %I (like telemetry including all)', partition);
  execute format('with moved as (delete from telemetry_other where created_at >= %L and created_at < %L returning *)
                  insert into %I select * from moved', month_start, month_end, partition);
  get diagnostics moved = row_count;
  execute format('alter table telemetry attach partition %I for values from (%L) to (%L)',
                 partition, month_start, month_end);
  return moved;
end $$;
revoke execute on function add_telemetry_month from public;
-- file: telemetry/sql/drop_telemetry_month.sql
-- A partition holds whole UTC months, so the counts know what goes, and the readings are not read. Only those of tanks with fewer than
-- ten readings in any later month, whose state may depend on this one, go first and in the usual way. Writers wait meanwhile, readers
-- only for the drop. If others hold the table for half a second, it fails and changes nothing. For those who follow the changes it is one
-- for each tank.
create or replace function drop_telemetry_month(month date) returns bigint language plpgsql
set lock_timeout = '500ms' set plan_cache_mode = force_generic_plan
security definer set search_path = public, pg_temp as $$
declare
  tank_keys bigint[];
  dropped bigint;
begin
  if month + interval '1 month' > date_trunc('month', now() at time zone 'UTC') then
    raise 'Readings of the current month are not removed.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtext('tank-monitoring old readings'));
  if month not in (select telemetry_months()) then return null; end if;
  lock table telemetry in share row exclusive mode;
  select array_agg(tank.key order by tank.key), coalesce(sum(counted.n), 0) into tank_keys, dropped
  from tanks tank cross join lateral (
    select n from telemetry_counts where tank_key = tank.key and level = 1 and start = month limit 1) counted;

  insert into change_notes (kind, tank_key, since, until)
  select 'r', unnest(tank_keys), month::timestamp at time zone 'UTC',
         (month + interval '1 month') at time zone 'UTC' - interval '1 millisecond';

  perform set_config('tank_monitoring.events', 'off', true);
  perform set_config('tank_monitoring.changes', 'by_caller', true);
  delete from telemetry
  where tank_key = any (array(
      select tank.key from unnest(tank_keys) tank (key)
      where not exists (
        select from telemetry_counts later
        where later.tank_key = tank.key and later.level = 1 and later.start > month and later.n >= 10)))
    and created_at >= month::timestamp at time zone 'UTC'
    and created_at < (month + interval '1 month') at time zone 'UTC';
  perform set_config('tank_monitoring.changes', '', true);
  perform set_config('tank_monitoring.events', '', true);

  update telemetry_counts whole set n = whole.n - gone.n
  from telemetry_counts gone
  where gone.tank_key = any (tank_keys) and gone.level = 1 and gone.start = month
    and whole.tank_key = gone.tank_key and whole.level = 0 and whole.start = '-infinity';
  delete from telemetry_counts
  where tank_key = any (tank_keys) and level = 2 and start >= month and start < month + interval '1 month';
  delete from telemetry_counts where tank_key = any (tank_keys) and level = 1 and start = month;
  execute format('drop table %I', 'telemetry_' || to_char(month, 'YYYY_MM'));
  return dropped;
end $$;
revoke execute on function drop_telemetry_month from public;
-- file: telemetry/sql/forget_readings.sql
-- Of the next 10,000 tanks after "after_tank", removes at most "most" readings of the months before "keep_from", the first day of a month.
-- "reached" is where to go on, null after the last tank. No event is emitted. One call at a time, each a short transaction.
create or replace function forget_readings(
  keep_from date, after_tank bigint, most integer, out forgotten integer, out reached bigint
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tank_keys bigint[]; old_keys bigint[];
begin
  -- No setting can ask for it: whoever may call this still cannot erase everything.
  if keep_from > date_trunc('month', now() at time zone 'UTC') then
    raise 'Readings of the current month are not removed.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtext('tank-monitoring old readings'));
  select array_agg(key order by key), max(key) into tank_keys, reached
  from (select key from tanks where key > after_tank order by key limit 10000) next_tanks;

  perform set_config('tank_monitoring.states', 'by_caller', true);
  old_keys := remove_old_readings(tank_keys, keep_from::timestamp at time zone 'UTC', most);
  perform set_config('tank_monitoring.states', '', true);
  forgotten := coalesce(cardinality(old_keys), 0);
  if forgotten = 0 then return; end if;

  perform set_config('tank_monitoring.events', 'off', true);
  perform keep_tank_states(array(select distinct unnest(old_keys)));
  perform set_config('tank_monitoring.events', '', true);
  -- The last tank may have more of them.
  if forgotten = most then reached := old_keys[most] - 1; end if;
end $$;
revoke execute on function forget_readings from public;
-- file: telemetry/sql/hold_tanks.sql
-- Called first by whoever writes readings of several tanks. On one machine rows are locked in one order, so only the table is locked
-- here, as a TRUNCATE does: the table first, and then the tanks' states.
create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql as $$
begin
  lock table telemetry in access share mode;
end $$;
-- file: telemetry/sql/insert_readings.sql
-- Inserts the readings that are new, in the order that all writers keep, and returns which those were.
create or replace function insert_readings(tank_keys bigint[], instants timestamptz[], levels double precision[])
returns table (tank_key bigint, instant timestamptz) language plpgsql as $$
begin
  return query
    insert into telemetry (tank_key, created_at, fill_percentage)
    select reading.tank_key, reading.instant, reading.level
    from unnest(tank_keys, instants, levels) reading (tank_key, instant, level)
    order by reading.tank_key, reading.instant
    on conflict do nothing
    returning telemetry.tank_key, telemetry.created_at;
end $$;
-- file: telemetry/sql/lock_readings.sql
-- Reads existing readings and locks them to the end of the transaction, in the order that all writers keep.
create or replace function lock_readings(tank_keys bigint[], instants timestamptz[])
returns table (tank_key bigint, instant timestamptz, level double precision) language plpgsql as $$
begin
  return query
    select telemetry.tank_key, telemetry.created_at, telemetry.fill_percentage
    from unnest(tank_keys, instants) wanted (tank_key, instant)
    join telemetry on telemetry.tank_key = wanted.tank_key and telemetry.created_at = wanted.instant
    order by telemetry.tank_key, telemetry.created_at
    for no key update of telemetry;
end $$;
-- file: telemetry/sql/readings_of.sql
-- Of each tank its readings at and after an instant, and some before it, newest first; without an instant, its newest; null for a
-- tank without any. Of partitioned readings only the months that are needed are opened: none before the last one that has enough.
create or replace function readings_of(tank_keys bigint[], sinces timestamptz[], before integer)
returns table (tank_key bigint, moments timestamptz[], fills double precision[])
language sql stable as $$
  select wanted.tank_key, found.moments, found.fills
  from unnest(tank_keys, sinces) wanted (tank_key, since)
  cross join lateral (
    select array_agg(reading.created_at order by reading.created_at desc) as moments,
           array_agg(reading.fill_percentage order by reading.created_at desc) as fills
    from (
      (select telemetry.created_at, telemetry.fill_percentage from telemetry
       where telemetry.tank_key = wanted.tank_key and telemetry.created_at >= wanted.since
       order by telemetry.created_at desc)
      union all
      (select telemetry.created_at, telemetry.fill_percentage from telemetry
       where telemetry.tank_key = wanted.tank_key and telemetry.created_at < coalesce(wanted.since, 'infinity')
         and telemetry.created_at >= case when telemetry_is_partitioned() then coalesce((
           select counted.start::timestamp at time zone 'UTC' from telemetry_counts counted
           where counted.tank_key = wanted.tank_key and counted.level = 1 and counted.n >= before
             and (counted.start + interval '1 month') at time zone 'UTC' <= coalesce(wanted.since, 'infinity')
           order by counted.start desc limit 1), '-infinity') else '-infinity' end
       order by telemetry.created_at desc limit before)
    ) reading
  ) found
$$;
-- file: telemetry/sql/remove_old_readings.sql
-- Removes at most "most" readings of these tanks from before an instant, and returns their tanks in order, one element a reading.
-- A tank's count is locked before its readings, as all who write readings do.
create or replace function remove_old_readings(tank_keys bigint[], until timestamptz, most integer)
returns bigint[] language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  old_keys bigint[]; old_instants timestamptz[];
begin
  select array_agg(tank_key), array_agg(created_at) into old_keys, old_instants
  from (
    select tank.key as tank_key, reading.created_at
    from unnest(tank_keys) tank (key)
    cross join lateral (
      select from telemetry_counts counted
      where counted.tank_key = tank.key and counted.level = 1 and counted.start < until at time zone 'UTC' limit 1
    ) has_old
    cross join lateral (
      select created_at from telemetry
      where telemetry.tank_key = tank.key and telemetry.created_at < until order by created_at limit most
    ) reading
    limit most
  ) old;
  perform from telemetry_counts
  where tank_key = any (array(select distinct unnest(old_keys))) and level = 0 order by tank_key for no key update;
  perform from lock_readings(old_keys, old_instants);
  delete from telemetry using unnest(old_keys, old_instants) old (tank_key, instant)
  where telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant;
  return old_keys;
end $$;
-- file: telemetry/sql/series_of_readings.sql
-- Readings come as two arrays, oldest first, which is faster than window functions over rows. They may hold the readings next to the
-- range, since gaps reach beyond it. A bucket is a slice of the arrays, whose ends a binary search finds (width_bucket() returns how many
-- moments are not after an instant): [number, count, first, last, min, max, mean]; empty buckets are left out. Instants are milliseconds
-- since 1970. Of gaps and refills the newest 1,000 are returned, newest first.
-- Few pairs of readings are compared: a rise by five within a bucket, or into it, makes its extremes lie as far apart; and a stretch of
-- several readings that is shorter than a gap has none. A stretch has as many readings as nearly everywhere fit into a gap, measured at
-- 32 places. A rise is compared after rounding to 6 decimals: 17.4 - 12.4 is 5. "offset 0" makes sure that what is computed once is.
create or replace function series_of_readings(
  moments timestamptz[], fills double precision[], since timestamptz, until timestamptz,
  first_bucket timestamptz, buckets integer, step interval, silent_after interval, open_gap_from timestamptz,
  out data json, out gaps json, out gaps_total bigint, out refills json, out refills_total bigint
) language sql stable as $$
  with bucket as materialized (
    select number, oldest, newest, least_fill, most_fill, sum_of_fills / (newest - oldest + 1) as mean
    from (
      select number,
             1 + width_bucket(greatest(first_bucket + number * step, since) - interval '1 ms', moments) as oldest,
             width_bucket(least(first_bucket + (number + 1) * step, until) - interval '1 ms', moments) as newest
      from generate_series(0, buckets - 1) number
      offset 0
    ) slice, lateral (
      select min(fill) as least_fill, max(fill) as most_fill, sum(fill) as sum_of_fills
      from (select unnest(fills[oldest:newest]) as fill) reading
    ) filled
    where newest >= oldest
  ),
  refill as materialized (
    select position
    from (
      select generate_series(oldest, newest) as position from bucket
      where greatest(most_fill, fills[oldest - 1]) - least(least_fill, fills[oldest - 1]) >= 4.9999995
    ) candidate
    where fills[position] - fills[position - 1] >= 4.9999995
  ),
  stretch as (
    select generate_series(1, readings - 1, length) as start, length
    from (
      select readings, greatest(1, (
        select percentile_disc(0.1) within group (order by width_bucket(moments[at] + silent_after, moments) - at)
        from generate_series(1, readings - 1, readings / 32 + 1) at
      )) as length
      from cardinality(moments) readings
      offset 0
    ) steady
  ),
  gap as materialized (
    select moments[position] as gap_from, moments[position + 1] as gap_to
    from (
      select generate_series(start, start + length - 1) as position from stretch
      where (moments[start + length] <= moments[start] + silent_after) is not true
    ) candidate
    where moments[position + 1] > moments[position] + silent_after
    union all
    select open_gap_from, null where open_gap_from is not null
  )
  select
    (select array_to_json(array_agg(
       array[number, newest - oldest + 1, fills[oldest], fills[newest], least_fill, most_fill, mean]))
     from bucket),
    (select json_agg(json_build_array(round(date_part('epoch', gap_from) * 1000), round(date_part('epoch', gap_to) * 1000)))
     from (select * from gap order by gap_from desc limit 1000) newest),
    (select count(*) from gap),
    (select json_agg(json_build_array(round(date_part('epoch', moments[position]) * 1000),
                                      fills[position - 1], fills[position]))
     from (select * from refill order by position desc limit 1000) newest),
    (select count(*) from refill)
$$;
-- file: telemetry/sql/telemetry_months.sql
-- The months that have a partition of their own; none when the table is not partitioned.
create or replace function telemetry_months() returns setof date language sql stable as $$
  select to_date(right(relname, 7), 'YYYY_MM') from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = to_regclass('telemetry') and relname ~ '^telemetry_[0-9]{4}_[0-9]{2}$'
  order by 1
$$;
-- file: telemetry/sql/telemetry_page.sql
-- No row: there is no such tank for this caller.
create or replace function telemetry_page(
  tank_id text, visible_owner_id text, since timestamptz, until timestamptz, skip bigint, size integer
) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
language plpgsql stable rows 10 as $$
declare
  tank bigint;
begin
  select key into tank from tanks
  where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
  if tank is null then return; end if;
  return query
    select page.total, page.created_at, page.fill_percentage
    from telemetry_page_of(tank, since, until, skip, size) page;
end $$;
-- file: telemetry/sql/telemetry_page_of.sql
-- A page of a tank's readings and their total, from one snapshot. On a cluster it runs on the node of the tank.
-- More than 500 rows are passed over only within a day that telemetry_locate() has found: "newest" is its end, and the page's first row
-- is in it. One row without created_at: the page is empty.
create or replace function telemetry_page_of(
  tank bigint, since timestamptz, until timestamptz, skip bigint, size integer
) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
language plpgsql stable rows 10 as $$
declare
  page record;
  rows_of_day bigint;
  first_row timestamptz;
  counted record;
  held bigint;       -- by whole months that the page may reach into
begin
  page := telemetry_locate(tank, since, until, skip);
  if page.passed > 500 then
    select n into rows_of_day from telemetry_counts
    where tank_key = tank and level = 2 and start = (page.newest at time zone 'UTC')::date - 1;
    if page.passed <= rows_of_day / 2 then
      select reading.created_at into first_row from telemetry reading
      where reading.tank_key = tank and reading.created_at >= page.newest - interval '24 hours'
        and reading.created_at < page.newest
      order by reading.created_at desc offset page.passed limit 1;
    else
      select reading.created_at into first_row from telemetry reading
      where reading.tank_key = tank and reading.created_at >= page.newest - interval '24 hours'
        and reading.created_at < page.newest
      order by reading.created_at offset rows_of_day - page.passed - 1 limit 1;
    end if;
    page.newest := first_row + interval '1 millisecond';
    page.passed := 0;
  end if;

  if telemetry_is_partitioned() then
    -- From the month in which the page begins back to the one by which it must be full.
    for counted in
      select start::timestamp at time zone 'UTC' as month, (start + interval '1 month') at time zone 'UTC' as month_end, n
      from telemetry_counts
      where tank_key = tank and level = 1 and start < page.newest at time zone 'UTC'
      order by start desc
    loop
      if held is null then
        held := 0;
        page.newest := least(page.newest, counted.month_end);
      end if;
      if counted.month_end <= page.newest then held := held + counted.n; end if;
      exit when held >= page.passed + size or counted.month <= since;
    end loop;
    since := greatest(since, counted.month);
  end if;

  return query
    select page.total, reading.created_at, reading.fill_percentage
    from telemetry reading
    where reading.tank_key = tank and reading.created_at >= since and reading.created_at < page.newest
    order by reading.created_at desc offset page.passed limit size;
  if not found then
    return query select page.total, null::timestamptz, null::double precision;
  end if;
end $$;
-- file: telemetry/sql/telemetry_series.sql
-- No row: there is no such tank for this caller.
create or replace function telemetry_series(
  tank_id text, visible_owner_id text, since timestamptz, until timestamptz,
  first_bucket timestamptz, buckets integer, step interval
) returns table (total bigint, data json, gaps json, gaps_total bigint, refills json, refills_total bigint)
language plpgsql stable rows 1 as $$
declare
  tank bigint;
  silent_after interval;
  open_gap_from timestamptz;
begin
  select key into tank from tanks
  where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
  if tank is null then return; end if;
  select known.silent_after_seconds * interval '1 second',
         case when known.silent_at < now() and known.reported_at < until and since <= now() then known.reported_at end
  into silent_after, open_gap_from
  from tank_states known where known.tank_key = tank;
  return query
    select series.total, series.data, series.gaps, series.gaps_total, series.refills, series.refills_total
    from telemetry_series_of(tank, since, until, first_bucket, buckets, step, silent_after, open_gap_from) series;
end $$;
-- file: telemetry/sql/telemetry_series_of.sql
-- A tank's readings of a range [since, until) as a series. More than a million are only counted; others are read once, with the readings
-- next to the range, which are in its own months or in the next ones that have any.
create or replace function telemetry_series_of(
  tank bigint, since timestamptz, until timestamptz, first_bucket timestamptz, buckets integer, step interval,
  silent_after interval, open_gap_from timestamptz
) returns table (total bigint, data json, gaps json, gaps_total bigint, refills json, refills_total bigint)
language plpgsql stable rows 1 as $$
declare
  oldest timestamptz := '-infinity';
  newest timestamptz := 'infinity';
  read_since timestamptz;
  read_until timestamptz;
begin
  total := greatest(telemetry_rank(tank, until) - telemetry_rank(tank, since), 0);
  gaps_total := 0;
  refills_total := 0;
  if total > 1000000 or since >= until then
    return next;
    return;
  end if;

  if telemetry_is_partitioned() then
    oldest := date_trunc('month', since at time zone 'UTC') at time zone 'UTC';
    oldest := coalesce((select max(start)::timestamp at time zone 'UTC' from telemetry_counts
                        where tank_key = tank and level = 1 and start < oldest at time zone 'UTC'), oldest);
    newest := date_trunc('month', until at time zone 'UTC') at time zone 'UTC';
    newest := coalesce((select min(start)::timestamp at time zone 'UTC' from telemetry_counts
                        where tank_key = tank and level = 1 and start > newest at time zone 'UTC'), newest);
    newest := (newest at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  end if;
  read_since := coalesce(
    (select max(created_at) from telemetry where tank_key = tank and created_at < since and created_at >= oldest), since);
  read_until := coalesce(
    (select min(created_at) from telemetry where tank_key = tank and created_at >= until and created_at < newest)
    + interval '1 ms', until);

  return query
    select total, drawn.*
    from (
      select coalesce(array_agg(created_at), '{}') as moments, coalesce(array_agg(fill_percentage), '{}') as fills
      from (select created_at, fill_percentage from telemetry
            where tank_key = tank and created_at >= read_since and created_at < read_until
            order by created_at) in_order
    ) reading
    cross join lateral series_of_readings(
      moments, fills, since, until, first_bucket, buckets, step, silent_after, open_gap_from) drawn;
end $$;
-- file: telemetry/sql/uncount_telemetry.sql
-- On a cluster this also runs on the coordinator when only its own, outdated copy of the readings goes.
create or replace function uncount_telemetry() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'telemetry' and current_setting('citus.enable_ddl_propagation', true) is distinct from 'off' then
    delete from telemetry_counts;
  end if;
  return null;
end $$;
