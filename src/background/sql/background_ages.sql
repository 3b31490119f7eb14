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
