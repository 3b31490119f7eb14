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
