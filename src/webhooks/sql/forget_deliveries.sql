-- Removes at most "most" deliveries and lines of endpoints that are gone, so that nobody waits for it. Called by the background work.
create or replace function forget_deliveries(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  deliveries integer;
  lines integer;
begin
  with recursive receiver (id) as ( -- one look into the index for each, however many deliveries it has
    select min(endpoint_id) from webhook_deliveries
    union all
    select (select min(endpoint_id) from webhook_deliveries where endpoint_id > receiver.id) from receiver where id is not null
  ), gone as materialized (
    select id from receiver where not exists (select from webhook_endpoints endpoint where endpoint.id = receiver.id)
  )
  delete from webhook_deliveries where id = any (array(
    select delivery.id from gone
    cross join lateral (
      select id from webhook_deliveries where endpoint_id = gone.id limit most for update skip locked
    ) delivery
    limit most));
  get diagnostics deliveries = row_count;
  delete from webhook_lines where line = any (array(
    select line from webhook_lines
    where not exists (select from webhook_endpoints endpoint where endpoint.id = webhook_lines.endpoint_id)
    limit most for update skip locked));
  get diagnostics lines = row_count;
  return greatest(deliveries, lines);
end $$;
revoke execute on function forget_deliveries from public;
