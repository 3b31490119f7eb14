-- API keys. Which scopes there are is a rule of the service (common/auth/scope.ts), so that a new one needs no migration.
create table api_keys (
  prefix        text collate "C" primary key,
  hash          bytea not null check (length(hash) = 32),
  name          text not null check (length(name) between 1 and 200),
  customer_id   text collate "C" references customers (id),
  created_at    timestamptz(3) not null default now(),
  expires_at    timestamptz(3),
  revoked_at    timestamptz(3),
  last_used_at  timestamptz(3),
  scopes        text[] not null default '{read}' constraint api_keys_scopes_are_known check (cardinality(scopes) > 0)
);
