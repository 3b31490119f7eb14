-- What the object is called, and who is neither a key nor a command. Entries without a kind of actor are older, or by an older version:
-- with a key_name, which is also a user's name, it was a key, else a command.
alter table activity add column object_name text, add column actor_kind text, add column actor_email text;
create index activity_of_operation on activity (operation, created_at, id);
