-- A customer or tank that was erased and is now given a new name, or restored with other data, is not erased any more.
create or replace function keep_erased() returns trigger language plpgsql as $$
begin
  new.erased := false;
  return new;
end $$;
