-- The second factor of accounts (docs/protocol.md#second-factor). `mfa_factors` has the names of a hosted project's
-- columns, because a migration of supabase/ reads it; only our auth API reads the other tables.
create table auth.mfa_factors (
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null references auth.users (id) on delete cascade,
  friendly_name      text not null default '',
  factor_type        text not null check (factor_type in ('totp')),
  status             text not null default 'unverified' check (status in ('unverified', 'verified')),
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  -- The shared secret in base32, as an authenticator app gets it. To compute a code, the server needs it in the clear.
  secret             text not null,
  last_challenged_at timestamptz,
  -- The newest 30-second step whose code was accepted (RFC 6238, section 5.2): no code is accepted twice.
  last_used_step     bigint
);
create unique index mfa_factors_user_id_friendly_name_key on auth.mfa_factors (user_id, friendly_name);

create index mfa_factors_created_at_idx on auth.mfa_factors (created_at);

create table auth.mfa_challenges (
  id          uuid primary key default gen_random_uuid(),
  factor_id   uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at  timestamptz not null,
  verified_at timestamptz,
  ip_address  text not null
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_created_at_idx on auth.mfa_challenges (created_at);

-- Codes for the day on which the phone is gone. A used code is removed.
create table auth.mfa_recovery_codes (
  user_id    uuid not null references auth.users (id) on delete cascade,
  -- The SHA-256 of the code. The code has 80 random bits, so nobody can find it from its hash.
  code_hash  bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);

alter table auth.sessions
  -- The factor that raised the session to aal2. When the factor is removed, the session falls back to aal1.
  add column factor_id uuid references auth.mfa_factors (id) on delete set null;
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;

alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_recovery_codes enable row level security;
revoke all on auth.mfa_factors, auth.mfa_challenges, auth.mfa_recovery_codes
  from public, anon, authenticated, service_role;

-- The indexes of the audit list once more: it also counts what a stolen password is enough for. The conditions are those
-- of `server/auth/audit-log.ts`.
drop index auth.audit_log_entries_events_idx, auth.audit_log_entries_attempts_idx;
create index audit_log_entries_events_idx on auth.audit_log_entries (created_at)
  where not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null)
    and payload ->> 'action' not in ('login_failed', 'user_confirmation_requested', 'user_repeated_signup',
                                     'user_recovery_requested', 'verification_attempted', 'factor_in_progress',
                                     'challenge_created');
create index audit_log_entries_attempts_idx on auth.audit_log_entries (created_at)
  where payload ->> 'action' in ('login_failed', 'user_confirmation_requested', 'user_repeated_signup',
                                 'user_recovery_requested', 'verification_attempted', 'factor_in_progress',
                                 'challenge_created');
