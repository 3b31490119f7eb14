-- updated_at follows every real change, whoever writes it, and nothing else. A writer that gives another one is obeyed. One that lies in the
-- future, as an import may bring, or at the end of time, stays.
create or replace function touch_updated_at() returns trigger language plpgsql as $$
begin
  if new.updated_at = old.updated_at and new is distinct from old then
    new.updated_at := greatest(date_trunc('milliseconds', now()), old.updated_at);
  end if;
  return new;
end $$;
