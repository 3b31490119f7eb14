-- Writes a customer: a new one when "version" is null, otherwise the one that was read in this version. Returns it as it is now, with
-- the number of its tanks; or nothing when it is another version now, or when it owns another number of tanks than "tanks_then" (null:
-- it does not matter). "given" are the columns that change. An id that is null is made here.
--
-- Locks: the table, as in write_tank(), and the customer, so that nobody gives it a tank meanwhile.
create or replace function write_customer(customer_id text, version text, given jsonb, tanks_then bigint)
returns table (customer customers, tank_count bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock timestamptz;
  fresh customers;
begin
  perform forget_settings();
  lock table customers in row exclusive mode;
  if version is not null then
    select * into fresh from customers where id = customer_id and xmin::text = version for update;
    if not found then return; end if;
  end if;
  tank_count := (select count(*) from tanks where owner_id = customer_id and not deleted);
  if tank_count <> tanks_then then return; end if;

  perform set_config('tank_monitoring.updated_at', 'given', true);
  clock := date_trunc('milliseconds', clock_timestamp());
  fresh := jsonb_populate_record(fresh, given);
  if version is null then
    insert into customers (id, created_at, updated_at, email, name, phone, is_verified, verified_at, last_seen_at)
    values (coalesce(customer_id, new_id()), coalesce(fresh.created_at, clock), clock, fresh.email, fresh.name, fresh.phone,
            fresh.is_verified, fresh.verified_at, fresh.last_seen_at)
    on conflict (id) do nothing
    returning customers.* into customer;
  else
    update customers
    set updated_at = least(greatest(clock, fresh.updated_at + interval '1 millisecond'), '9999-12-31 23:59:59.999Z'),
        deleted = fresh.deleted, email = fresh.email, name = fresh.name, phone = fresh.phone, is_verified = fresh.is_verified,
        verified_at = fresh.verified_at, last_seen_at = fresh.last_seen_at
    where customers.id = customer_id
    returning customers.* into customer;
  end if;
  if found then return next; end if;
end $$;
revoke execute on function write_customer from public;
