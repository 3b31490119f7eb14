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
