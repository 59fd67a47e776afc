-- Rate limits and known devices. They are in the database, so that several servers count together.

-- Token buckets limit the requests per internet address and the password attempts per account and network. A bucket is
-- stored as the time at which it is full again. Each request makes this time later, and a row whose time has passed may
-- be removed. The table is unlogged, because every request writes here, a crash loses only a few minutes of counting,
-- and no backup needs it. The keys are hashes (SHA-256). A hash hides an internet address from a casual reader, but not
-- from an attacker, who can hash all IPv4 addresses. Therefore rows are removed once their bucket is full.
create unlogged table auth.buckets (
  key_hash bytea primary key check (length(key_hash) = 32),
  full_at  timestamptz not null
);
create index buckets_full_at_idx on auth.buckets (full_at);

-- Failed sign-ins per email address, from networks in which the account has no earlier sign-in. Only as many times are
-- stored as the server needs to recognize an attack, the newest first. Email addresses without an account have rows as
-- well, otherwise this table would reveal accounts.
create unlogged table auth.sign_in_failures (
  account_hash bytea primary key check (length(account_hash) = 32),
  failed_at    timestamptz[] not null,
  newest_at    timestamptz not null
);
create index sign_in_failures_newest_at_idx on auth.sign_in_failures (newest_at);

-- Known networks and devices of an account. During an attack on the account, known networks keep the normal limit of
-- password attempts. After a sign-in from a new device, the owner of the account gets a mail.
create table auth.familiar_places (
  user_id    uuid not null references auth.users (id) on delete cascade,
  kind       text not null check (kind in ('network', 'device')),
  place_hash bytea not null check (length(place_hash) = 32),
  seen_at    timestamptz not null,
  primary key (user_id, kind, place_hash)
);

alter table auth.sessions
  -- When the session was last used. The server writes this at most once in five minutes, to save a write per request.
  add column used_at timestamptz;

-- This index serves the audit list of an administrator, which shows all entries except ordinary token refreshes. Most
-- entries are such refreshes.
create index audit_log_entries_noteworthy_idx on auth.audit_log_entries (created_at)
  where not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null);

alter table auth.buckets enable row level security;
alter table auth.sign_in_failures enable row level security;
alter table auth.familiar_places enable row level security;
revoke all on auth.buckets, auth.sign_in_failures, auth.familiar_places
  from public, anon, authenticated, service_role;
