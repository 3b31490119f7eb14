-- Keeps what is searched (src/common/search.ts): the fields, folded, a line each. Ids of devices and phones are kept once more without what
-- people write between their digits: a84041 finds A8-40-41. "Str." and "Str" at the end of a word become STRASSE. Between tabs stand words
-- that are found as a whole only: the last 8 digits of a phone, and the names and the code of the country, in lower case, since no word that
-- is searched has any: "reich" and "deutsch" are surnames, too, and find no whole country.
create or replace function keep_search_text() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  digits text;
  country text;
  country_names text;
begin
  if tg_table_name = 'customers' then
    digits := regexp_replace(new.phone, '[^0-9]', '', 'g');
    new.search_text := folded(concat_ws(e'\n', new.name, new.email, new.phone, regexp_replace(new.phone, '[^[:alnum:]]', '', 'g')))
      || case when length(digits) >= 8 then e'\n\t' || right(digits, 8) || e'\t' else '' end;
  else
    new.search_text := folded(concat_ws(e'\n', new.name, new.custom_id, new.assigned_device_id, new.postal_code, new.street,
      new.street_number, new.city, new.district, new.region, regexp_replace(new.assigned_device_id, '[^[:alnum:]]', '', 'g'),
      nullif(btrim(new.country), '')));
    if new.country <> '' then
      country := split_part(new.search_text, e'\n', -1);
      select names into country_names from countries where name = country;
      new.search_text := coalesce(
        left(new.search_text, -length(country)) || e'\t' || lower(translate(country_names, ' ', e'\t') collate "C") || e'\t',
        new.search_text);
    end if;
  end if;
  if strpos(new.search_text, 'STR') > 0 then
    new.search_text := regexp_replace(new.search_text, 'STR(\.|(?=[\s,;]|$))', 'STRASSE', 'g');
  end if;
  return new;
end $$;
