-- Customers, and how many live ones there are: in all (level 0, from -infinity), by UTC month (1) and by UTC day (2). Triggers keep the
-- counts exact, so that a page's total and its place are found in a handful of index reads. Tanks are counted in the same table.
-- Ids compare byte by byte (collation "C"): the order of a page never depends on the server's locale. Times end with the year 9999, the
-- last one the API can write. "search_text": what is searched, folded, since folding a million rows with each search takes ten seconds.
create table customers (
  id            text collate "C" primary key default new_id() check (length(id) between 1 and 255),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  deleted       boolean not null default false,
  email         text not null check (length(email) between 1 and 320),
  name          text not null,
  phone         text,
  is_verified   boolean not null default false,
  verified_at   timestamptz(3),
  last_seen_at  timestamptz(3),
  search_text   text collate "C" not null default '',
  constraint customers_verified_at_needs_is_verified check (is_verified or verified_at is null),
  constraint customers_times_are_writable check (
    created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
    and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z'
    and verified_at >= '0001-01-01Z' and verified_at < '10000-01-01Z'
    and last_seen_at >= '0001-01-01Z' and last_seen_at < '10000-01-01Z')
);
create index customers_newest_first on customers (created_at desc, id desc) where not deleted;
create index customers_by_email on customers (email, created_at desc, id desc) where not deleted;

-- Counts change in place (n is in no index), so the pages keep room for it.
create table list_counts (
  list   text not null,
  level  smallint not null,
  start  date not null,
  n      integer not null,
  primary key (list, level, start)
) with (fillfactor = 70);

-- *_fold runs before *_touch, which looks whether the row is another. Statement triggers: COPY and writes of many rows pay once.
create trigger customers_fold before insert or update of name, email, phone, search_text on customers
  for each row execute function keep_search_text();
create trigger customers_touch before update on customers for each row execute function touch_updated_at();
create trigger count_insert after insert on customers referencing new table as new_rows
  for each statement execute function count_customers();
create trigger count_update after update on customers referencing old table as old_rows new table as new_rows
  for each statement execute function count_customers();
create trigger count_delete after delete on customers referencing old table as old_rows
  for each statement execute function count_customers();
create trigger count_truncate after truncate on customers for each statement execute function uncount_customers();
