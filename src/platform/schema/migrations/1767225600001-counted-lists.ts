// Counted lists: how many live rows each list holds in all, by UTC month and by UTC day, kept exact by triggers.
// With them a page's total and its place are found in a handful of index reads, whatever the page and the range.
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One kind of list; the three share every line of SQL below but these words. */
interface CountedList {
  readonly table: string;
  /** Which rows of the table are in the list. */
  readonly live: string;
  readonly counts: 'list_counts' | 'telemetry_counts';
  /** The column of the counts that names the list, its type, and its value for a row of the table. */
  readonly listColumn: string;
  readonly listType: string;
  readonly listOfRow: string;
  /** How the functions below are told the list, how they name it, and how they pick its rows. */
  readonly parameter: string;
  readonly argument: string;
  readonly list: string;
  readonly rowsOfList: string;
  /** What is left to do when rows were moved or deleted, and when the table was truncated. */
  readonly afterRemoval: string;
  readonly afterTruncate: string;
}

const wholeTable = (table: string, afterTruncate: string): CountedList => ({
  table,
  live: 'not deleted',
  counts: 'list_counts',
  listColumn: 'list',
  listType: 'text',
  listOfRow: `'${table}'`,
  parameter: '',
  argument: '',
  list: `'${table}'`,
  rowsOfList: 'not deleted',
  afterRemoval: '',
  afterTruncate,
});

const CUSTOMERS = wholeTable('customers', `delete from list_counts where list = 'customers'`);

// TRUNCATE tanks CASCADE empties telemetry_counts, which refers to tanks: the readings must go with them.
const TANKS = wholeTable('tanks', `delete from list_counts where list = 'tanks'; truncate telemetry`);

const TELEMETRY: CountedList = {
  table: 'telemetry',
  live: 'true',
  counts: 'telemetry_counts',
  listColumn: 'tank_key',
  listType: 'bigint',
  listOfRow: 'tank_key',
  parameter: 'tank bigint, ',
  argument: 'tank, ',
  list: 'tank',
  rowsOfList: 'tank_key = tank',
  // A count of nothing would still hold on to its tank.
  afterRemoval: `
      if tg_op <> 'INSERT' then
        delete from telemetry_counts where tank_key = any (lists) and n = 0;
      end if;`,
  afterTruncate: 'delete from telemetry_counts',
};

const LISTS = [CUSTOMERS, TANKS, TELEMETRY];

export class CountedLists1767225600001 implements MigrationInterface {
  readonly name = 'CountedLists1767225600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COUNTS);
    for (const list of LISTS) {
      await runner.query(countTriggers(list));
      await runner.query(rank(list));
      await runner.query(locate(list));
    }
    await runner.query(TELEMETRY_PAGE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function telemetry_page');
    for (const { table } of LISTS) {
      await runner.query(`
        drop function ${table}_locate, ${table}_rank;
        drop function count_${table}, uncount_${table} cascade`);
    }
    await runner.query('drop table telemetry_counts, list_counts');
  }
}

// level 0: the whole list (start is -infinity); 1: a UTC month; 2: a UTC day.
// Counts change in place (n is in no index), so the pages keep room for it. Readings' counts stand apart, keyed by the
// tank, so that they can live beside the readings; they also hold the readings' reference to their tank: a reading is
// counted in the statement that writes it, and a count needs a tank.
const COUNTS = `
  create table list_counts (
    list text not null, level smallint not null, start date not null, n integer not null,
    primary key (list, level, start)
  ) with (fillfactor = 70);
  create table telemetry_counts (
    tank_key bigint not null references tanks (key),
    level smallint not null, start date not null, n integer not null,
    primary key (tank_key, level, start)
  ) with (fillfactor = 70)`;

// Statement-level triggers: COPY and multi-row writes pay once. They work in two steps, first the transition tables into
// arrays, then the arrays into the counts, in one fixed order (list, level, start) so that writers queue, not deadlock.
function countTriggers(counted: CountedList): string {
  const { table, live, counts, listColumn, listType, listOfRow, afterRemoval, afterTruncate } = counted;
  const rows = (transition: string, n: string) =>
    `select ${listOfRow} as list, (created_at at time zone 'UTC')::date as day, ${n} as n from ${transition} where ${live}`;
  return `
    create function count_${table}() returns trigger language plpgsql as $$
    declare
      lists ${listType}[]; days date[]; changes integer[];
    begin
      if tg_op = 'INSERT' then
        select array_agg(list), array_agg(day), array_agg(n) into lists, days, changes
        from (select list, day, sum(n) as n from (${rows('new_rows', '1')}) added group by list, day) change;
      elsif tg_op = 'DELETE' then
        select array_agg(list), array_agg(day), array_agg(n) into lists, days, changes
        from (select list, day, sum(n) as n from (${rows('old_rows', '-1')}) removed group by list, day) change;
      else
        select array_agg(list), array_agg(day), array_agg(n) into lists, days, changes
        from (select list, day, sum(n) as n
              from (${rows('new_rows', '1')} union all ${rows('old_rows', '-1')}) moved
              group by list, day having sum(n) <> 0) change;
      end if;

      if lists is null then return null; end if;

      insert into ${counts} as counted (${listColumn}, level, start, n)
      select list, level, start, sum(n)
      from unnest(lists, days, changes) change (list, day, n)
      cross join lateral (values
        (0, date '-infinity'), (1, date_trunc('month', day::timestamp)::date), (2, day)) bucket (level, start)
      group by list, level, start having sum(n) <> 0
      order by list, level, start
      on conflict (${listColumn}, level, start) do update set n = counted.n + excluded.n;
${afterRemoval}
      return null;
    end $$;

    create trigger count_insert after insert on ${table} referencing new table as new_rows
      for each statement execute function count_${table}();
    create trigger count_update after update on ${table} referencing old table as old_rows new table as new_rows
      for each statement execute function count_${table}();
    create trigger count_delete after delete on ${table} referencing old table as old_rows
      for each statement execute function count_${table}();

    create function uncount_${table}() returns trigger language plpgsql as $$
    begin
      ${afterTruncate};
      return null;
    end $$;
    create trigger count_truncate after truncate on ${table}
      for each statement execute function uncount_${table}()`;
}

// How many rows of the list were created before an instant: whole months, whole days, and the rows of the last day.
function rank({ table, counts, listColumn, parameter, list, rowsOfList }: CountedList): string {
  return `
    create function ${table}_rank(${parameter}instant timestamptz) returns bigint language plpgsql stable as $$
    declare
      day date := (instant at time zone 'UTC')::date;
      month date := date_trunc('month', instant at time zone 'UTC')::date;
      midnight timestamptz := day::timestamp at time zone 'UTC';
      found_rows bigint;
    begin
      found_rows :=
        coalesce((select sum(n) from ${counts} where ${listColumn} = ${list} and level = 1 and start < month), 0)
        + coalesce((select sum(n) from ${counts}
                    where ${listColumn} = ${list} and level = 2 and start >= month and start < day), 0);
      if instant > midnight then
        found_rows := found_rows + (select count(*) from ${table}
                                    where ${rowsOfList} and created_at >= midnight and created_at < instant);
      end if;
      return found_rows;
    end $$`;
}

// The total of a range [since, until) and where one of its pages starts: at the rows created before "newest", newest
// first, after passing over "passed" of them. Near the top of the list that is the range's end; deeper, it is the end of
// the day that holds the page's first row, found by walking the months and then the days of one month.
function locate({ table, counts, listColumn, parameter, argument, list }: CountedList): string {
  return `
    create function ${table}_locate(
      ${parameter}since timestamptz, until timestamptz, skip bigint,
      out total bigint, out newest timestamptz, out passed bigint
    ) language plpgsql stable as $$
    declare
      rows_until bigint;
      place bigint;      -- of the page's newest row, counted from the oldest row of the list
      month date;
      day date;
      older bigint;      -- rows before the month, then rows up to the end of the day
    begin
      if until = 'infinity' then
        rows_until := coalesce((select n from ${counts}
                                where ${listColumn} = ${list} and level = 0 and start = '-infinity'), 0);
      else
        rows_until := ${table}_rank(${argument}until);
      end if;
      total := greatest(
        rows_until - case when since = '-infinity' then 0 else ${table}_rank(${argument}since) end, 0);

      if skip >= total then
        newest := '-infinity'; passed := 0; return;
      elsif skip <= 500 then
        newest := until; passed := skip; return;
      end if;

      place := rows_until - 1 - skip;
      select start, upto - n into month, older
      from (select start, n, sum(n) over (order by start rows unbounded preceding) as upto
            from ${counts} where ${listColumn} = ${list} and level = 1) months
      where upto > place order by start limit 1;
      select start, older + upto into day, older
      from (select start, sum(n) over (order by start rows unbounded preceding) as upto
            from ${counts} where ${listColumn} = ${list} and level = 2
              and start >= month and start < month + interval '1 month') days
      where upto > place - older order by start limit 1;
      newest := (day + 1)::timestamp at time zone 'UTC';
      passed := older - 1 - place;
    end $$`;
}

// A page of one tank's readings: the tank, the total and the page from the caller's one snapshot.
// No row: there is no such tank for this caller. One row without created_at: the page is empty.
export const TELEMETRY_PAGE = `
  create or replace function telemetry_page(
    tank_id text, visible_owner_id text, since timestamptz, until timestamptz, skip bigint, size integer
  ) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
  language plpgsql stable rows 10 as $$
  declare
    tank bigint;
    page record;
  begin
    select key into tank from tanks
    where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
    if tank is null then return; end if;

    page := telemetry_locate(tank, since, until, skip);
    return query
      select page.total, reading.created_at, reading.fill_percentage
      from telemetry reading
      where reading.tank_key = tank and reading.created_at >= since and reading.created_at < page.newest
      order by reading.created_at desc offset page.passed limit size;
    if not found then
      return query select page.total, null::timestamptz, null::double precision;
    end if;
  end $$`;
