-- The key that made it, or that it took the place of: they share a rate limit. Keys of 3.0 have none.
alter table api_keys add column parent text collate "C";
