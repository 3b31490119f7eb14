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
