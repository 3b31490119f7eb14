-- What is left of an event when the customer that its tank belongs to, or did, was erased: what happened, and when. As long as it is json,
-- the order of its fields stays. "of_customer": the owner in it is that customer, too.
create or replace function erased_event(data json, of_customer boolean) returns json language sql immutable
set search_path = public, pg_temp as $$
  select json_object_agg(part.key, case
    when part.key = 'tank' then (
      select json_object_agg(key, case key when 'name' then to_json('Erased'::text) when 'custom_id' then null else value end order by place)
      from json_each(part.value) with ordinality field (key, value, place))
    when part.key = 'location' then (
      select json_object_agg(key, null order by place) from json_each(part.value) with ordinality field (key, value, place))
    when part.key = 'owner' and of_customer then json_build_object('name', 'Erased', 'email', 'erased@invalid')
    else part.value end order by part.place)
  from json_each(data) with ordinality part (key, value, place)
$$;
