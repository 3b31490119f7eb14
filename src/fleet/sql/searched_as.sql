-- How a word that is searched (src/common/search.ts) may stand in search_text: folded, or, between tabs, in lower case, a word of the name of a
-- country; null where it is no such word. The digits of a phone between tabs stay.
create or replace function searched_as(way text) returns text language sql stable parallel safe
security definer set search_path = public, pg_temp as $$
  select case
    when way !~ '^\t\D' then folded(way)
    when exists (select from countries where name = btrim(folded(way), e'\t')) then lower(folded(way) collate "C")
  end
$$;
