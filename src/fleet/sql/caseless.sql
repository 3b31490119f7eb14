-- Makes texts that differ in case only the same, in any script: "ß" and "SS", "ς" and "Σ". The server's own rules may know ASCII only, so
-- Unicode's are named: ICU's where the server has them, or the server's copy (from 17 on). ASCII needs neither.
do $do$
declare
  rules text;
begin
  select collname into rules from pg_collation
  where collname in ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8')
    and collencoding in (-1, (select encoding from pg_database where datname = current_database()))
  order by array_position(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8']::name[], collname) limit 1;
  execute format($create$
    create or replace function caseless(original text) returns text language sql immutable parallel safe as $$
      select case when octet_length(original) = length(original) then upper(original collate "C")
                  else upper(lower(original collate %1$I) collate %1$I) collate "C" end
    $$ $create$, coalesce(rules, 'default'));
end $do$;
