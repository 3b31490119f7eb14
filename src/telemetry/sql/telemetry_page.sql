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
