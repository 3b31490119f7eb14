create or replace function uncount_customers() returns trigger language plpgsql as $$
begin
  delete from list_counts where list = 'customers';
  return null;
end $$;
