-- The numbers (key % 64) of tanks whose writers have committed, but perhaps not everywhere. One machine commits at once.
create or replace function tanks_being_written() returns integer[] language sql as $$ select '{}'::integer[] $$;
