-- Rate limits, known devices and the audit log. They are in the database, so that several servers count together.

-- Token buckets limit the requests per internet address, the password attempts per account and network, and the mails.
-- A bucket is stored as the time at which it is full again. Each request makes this time later, and a row whose time has
-- passed may be removed. The table is unlogged, because every request writes here, a crash loses only an hour of
-- counting at most, and no backup needs it. The keys are hashes (SHA-256). A hash hides an internet address from a casual
-- reader, but not from an attacker, who can hash all IPv4 addresses. Therefore rows are removed once their bucket is full.
create unlogged table auth.rate_limits (
  key_hash bytea primary key check (length(key_hash) = 32),
  full_at  timestamptz not null
);
create index rate_limits_full_at_idx on auth.rate_limits (full_at);

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
create table auth.known_devices (
  user_id    uuid not null references auth.users (id) on delete cascade,
  kind       text not null check (kind in ('network', 'device')),
  -- The hash of a network or of a device's name; `kind` says which.
  value_hash bytea not null check (length(value_hash) = 32),
  seen_at    timestamptz not null,
  primary key (user_id, kind, value_hash)
);
create index known_devices_seen_at_idx on auth.known_devices (kind, seen_at);

create table auth.audit_log_entries (
  id         uuid primary key default gen_random_uuid(),
  payload    jsonb not null,
  created_at timestamptz not null,
  ip_address text not null default ''
);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);
-- The audit list of an administrator shows what accounts have done entry by entry, and counts what anyone can cause
-- without an account or with a stolen password alone: a flood of these must neither hide an entry nor make the list slow.
-- The conditions are those of `backend/auth/endpoints/audit.ts`.
create index audit_log_entries_events_idx on auth.audit_log_entries (created_at)
  where not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null)
    and payload ->> 'action' not in ('login_failed', 'user_confirmation_requested', 'user_repeated_signup',
                                     'user_recovery_requested', 'verification_attempted', 'factor_in_progress',
                                     'challenge_created');
create index audit_log_entries_attempts_idx on auth.audit_log_entries (created_at)
  where payload ->> 'action' in ('login_failed', 'user_confirmation_requested', 'user_repeated_signup',
                                 'user_recovery_requested', 'verification_attempted', 'factor_in_progress',
                                 'challenge_created');

alter table auth.rate_limits enable row level security;
alter table auth.sign_in_failures enable row level security;
alter table auth.known_devices enable row level security;
alter table auth.audit_log_entries enable row level security;
revoke all on auth.rate_limits, auth.sign_in_failures, auth.known_devices, auth.audit_log_entries
  from public, anon, authenticated, service_role;
