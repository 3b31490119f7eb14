// Finding: what is searched of a customer or tank is kept with it, folded, since folding a million rows with each search takes ten seconds;
// and indexes for finding tanks by the customer's own id, and for walking an owner's tanks in the order of their keys.
// Not files: the version before, when it is put back, would drop functions it does not know, and triggers need these.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Finding1767225600021 implements MigrationInterface {
  readonly name = 'Finding1767225600021';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [CASELESS, folded(), TRIGGER]) await runner.query(statement);
    for (const [table, columns] of Object.entries(SEARCHED)) {
      // The second statement rewrites the table, and fires no triggers: nothing changes that anybody sees.
      await runner.query(`
        alter table ${table} add column search_text text collate "C" not null default '';
        alter table ${table} alter column search_text type text collate "C" using folded(concat_ws(e'\\n', ${columns}));
        create trigger ${table}_fold before insert or update of ${columns}, search_text on ${table}
          for each row execute function keep_search_text()`);
    }
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index tanks_by_custom_id, tank_states_of_owner_by_key;
      drop function keep_search_text cascade;
      alter table tanks drop column search_text;
      alter table customers drop column search_text;
      drop function folded`);
  }
}

const SEARCHED = {
  customers: 'name, email, phone',
  tanks: 'name, custom_id, assigned_device_id, postal_code, street, city, region',
};

// As fleet/sql/caseless.sql has it, where that is not installed yet.
const CASELESS = `
  do $do$
  declare
    rules text;
  begin
    if to_regprocedure('caseless(text)') is not null then return; end if;
    select collname into rules from pg_collation
    where collname in ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8')
      and collencoding in (-1, (select encoding from pg_database where datname = current_database()))
    order by array_position(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8']::name[], collname) limit 1;
    execute format($create$
      create or replace function caseless(original text) returns text language sql immutable parallel safe as $$
        select case when octet_length(original) = length(original) then upper(original collate "C")
                    else upper(lower(original collate %1$I) collate %1$I) collate "C" end
      $$ $create$, coalesce(rules, 'default'));
  end $do$`;

const escaped = (point: number): string => `\\U${point.toString(16).padStart(8, '0')}`;

/** Unicode's nonspacing marks, as a class of characters in PostgreSQL's regular expressions, which do not know the category. */
function nonspacingMarks(): string {
  const ranges: [first: number, last: number][] = [];
  for (let point = 0; point <= 0xe0fff; point += 1) {
    if (point === 0x20000) point = 0xe0000; // between lie ideographs only
    if (!/\p{Mn}/u.test(String.fromCodePoint(point))) continue;
    const open = ranges.at(-1);
    if (open?.[1] === point - 1) open[1] = point;
    else ranges.push([point, point]);
  }
  return `[${ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}]`;
}

// Makes texts that differ in case or accents only the same. What has no accent in Unicode's eyes, such as ø and ł, stays itself.
const folded = (): string => `
  create function folded(original text) returns text language sql immutable parallel safe as $$
    select case when octet_length(original) = length(original) then upper(original collate "C")
                else caseless(regexp_replace(normalize(original, NFD), '${nonspacingMarks()}', '', 'g')) end
  $$`;

// Runs before the triggers named *_touch, which look whether the row is another.
const TRIGGER = `
  create function keep_search_text() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
  begin
    if tg_table_name = 'customers' then
      new.search_text := folded(concat_ws(e'\\n', ${SEARCHED.customers.replaceAll(/\w+/g, 'new.$&')}));
    else
      new.search_text := folded(concat_ws(e'\\n', ${SEARCHED.tanks.replaceAll(/\w+/g, 'new.$&')}));
    end if;
    return new;
  end $$`;

// The beginning of a custom id, since the whole may be longer than an entry of an index can be.
const INDEXES = `
  create index tanks_by_custom_id on tanks ((left(custom_id, 200) collate "C"), created_at desc, id desc)
    where not deleted and custom_id is not null;
  create index tank_states_of_owner_by_key on tank_states (owner_id, tank_key) where fleet_group is not null`;
