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
