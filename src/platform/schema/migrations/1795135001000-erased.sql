-- Whether a customer, or a tank with it, was erased for good: what it is called does not say that.
alter table customers add column erased boolean not null default false;
alter table tanks add column erased boolean not null default false;

-- As well as can be known of those that were erased before: a tank is erased with its customer alone.
update customers set erased = true where deleted and name = 'Erased' and email = 'erased@invalid' and phone is null;
update tanks set erased = true
where deleted and name = 'Erased' and owner_id in (select id from customers where erased) and num_nonnulls(
  custom_id, city, country, district, latitude, longitude, postal_code, region, street, street_number) = 0;

create function keep_erased() returns trigger language plpgsql as $$ begin new.erased := false; return new; end $$;
create trigger customers_erased before update on customers for each row
  when (old.erased and (not new.deleted or new.name <> old.name)) execute function keep_erased();
create trigger tanks_erased before update on tanks for each row
  when (old.erased and (not new.deleted or new.name <> old.name)) execute function keep_erased();
