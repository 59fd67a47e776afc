-- How often somebody may ask, and what makes a sign-in look familiar. Held here, so that several servers count as one.

-- Token buckets: of requests by address, and of password tries by account and network. A bucket is one moment, the one
-- at which it will be full again: each token taken moves it on, and a row whose moment has passed says nothing any more
-- and may go. Unlogged: every request writes here, a crash loses a few minutes of counting and no more, and no backup
-- needs it. Nothing but SHA-256 is kept. That hides an address from a passing look, not from somebody who tries all of
-- IPv4; so no row outlives its use.
create unlogged table auth.buckets (
  key_hash bytea primary key check (length(key_hash) = 32),
  full_at  timestamptz not null
);
create index buckets_full_at_idx on auth.buckets (full_at);

-- Passwords that failed for one address, tried from where its owner never signed in: the newest moments first, and only
-- as many as tell an attack. For an address without an account as well, or this table would tell which have one.
create unlogged table auth.sign_in_failures (
  account_hash bytea primary key check (length(account_hash) = 32),
  failed_at    timestamptz[] not null,
  newest_at    timestamptz not null
);
create index sign_in_failures_newest_at_idx on auth.sign_in_failures (newest_at);

-- Where an account signed in from, and with what: networks keep their tries while others attack the account, and a
-- device that is not here is worth a mail to its owner.
create table auth.familiar_places (
  user_id    uuid not null references auth.users (id) on delete cascade,
  kind       text not null check (kind in ('network', 'device')),
  place_hash bytea not null check (length(place_hash) = 32),
  seen_at    timestamptz not null,
  primary key (user_id, kind, place_hash)
);

alter table auth.sessions
  -- To within a few minutes: not every request is worth a write.
  add column used_at timestamptz;

-- What an administrator reads of the log: all but the daily round of tokens, which is most of it.
create index audit_log_entries_noteworthy_idx on auth.audit_log_entries (created_at)
  where not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null);

alter table auth.buckets enable row level security;
alter table auth.sign_in_failures enable row level security;
alter table auth.familiar_places enable row level security;
revoke all on auth.buckets, auth.sign_in_failures, auth.familiar_places
  from public, anon, authenticated, service_role;
