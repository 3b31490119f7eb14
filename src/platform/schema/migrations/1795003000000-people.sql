-- Users are people who signed in with the company's identity provider: a subject of an issuer, never an address. Sessions are known by the
-- hash of what their cookie holds, and are a user's or a key's.
create table users (
  id            text collate "C" primary key default new_id(),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  issuer        text collate "C" not null,
  subject       text collate "C" not null,
  email         text not null,
  name          text,
  role          text not null default 'none',
  customer_id   text collate "C" references customers (id),
  last_seen_at  timestamptz(3),
  unique (issuer, subject),
  constraint users_admins_have_no_customer check (role <> 'admin' or customer_id is null)
);
create index users_newest_first on users (created_at desc, id desc);

create table sessions (
  hash        bytea primary key check (length(hash) = 32),
  user_id     text collate "C" references users (id) on delete cascade,
  key_prefix  text collate "C" references api_keys (prefix) on delete cascade,
  created_at  timestamptz(3) not null default now(),
  used_at     timestamptz(3) not null default now(),
  stays       boolean not null,
  check (num_nonnulls(user_id, key_prefix) = 1)
);
create index sessions_of_user on sessions (user_id, created_at);
create index sessions_of_key on sessions (key_prefix, created_at);
