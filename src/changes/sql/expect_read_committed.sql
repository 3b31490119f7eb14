-- An older snapshot hides what others committed before the TRUNCATE took its lock, so that it could not be noted.
create or replace function expect_read_committed() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise 'TRUNCATE needs the isolation level read committed.' using errcode = 'serialization_failure';
  end if;
end $$;
