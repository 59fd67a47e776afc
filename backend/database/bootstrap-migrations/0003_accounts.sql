-- The accounts, sessions and tokens of this server's auth API. A hosted project has tables of these names with other
-- columns, which does no harm, because only the auth API reads them. The migrations of supabase/ read `users` and
-- `mfa_factors`, so the columns of these two have the names of a hosted project's, so far as it has them.
create table auth.users (
  id                 uuid primary key default gen_random_uuid(),
  aud                text not null default 'authenticated',
  role               text not null default 'authenticated',
  raw_app_meta_data  jsonb not null default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb not null default '{}',

  email                text check (email = lower(email) and char_length(email) <= 255),
  invited_at           timestamptz,
  confirmation_sent_at timestamptz,
  email_confirmed_at   timestamptz,

  encrypted_password              text,
  -- A password from before the confirmation may be a stranger's, because anyone can sign up with any address
  -- (docs/protocol.md#an-unproved-password).
  password_set_after_confirmation boolean not null default false,
  recovery_sent_at                timestamptz,

  -- A change of the address waits until both addresses have confirmed it
  -- (docs/protocol.md#change-of-the-email-address).
  email_change              text check (email_change = lower(email_change) and char_length(email_change) <= 255),
  email_change_sent_at      timestamptz,
  -- The address that has confirmed the change already; null: neither.
  email_change_confirmed_by text check (email_change_confirmed_by in ('current', 'new')),

  last_sign_in_at timestamptz,
  banned_until    timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);
create unique index users_email_key on auth.users (email);
create index users_email_change_idx on auth.users (email_change) where email_change is not null;

-- A trigger covers every statement that sets a password. An operator's new account gets its password and its confirmed
-- address in one statement, which counts as after. A later change keeps the note of the password before, because
-- whoever knows that password can sign in and change it. It becomes true only if the account had no password, or if the
-- statement itself says that the owner of the address chose the new one.
create function auth.note_password_set() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.password_set_after_confirmation := new.encrypted_password is not null and new.email_confirmed_at is not null
    and (tg_op = 'INSERT' or old.encrypted_password is null or new.password_set_after_confirmation);
  return new;
end
$$;
revoke all on function auth.note_password_set() from public;

create trigger "note when a password is set" before insert or update of encrypted_password on auth.users
  for each row execute function auth.note_password_set();

-- Tokens of mailed links. The links of several mails are valid at once, so that a stranger who requests mails for an
-- address does not end each link before its owner follows it (docs/protocol.md#lifetimes-of-links-and-codes). A used
-- token is removed.
create table auth.one_time_tokens (
  token_hash         bytea primary key check (length(token_hash) = 32),
  user_id            uuid not null references auth.users (id) on delete cascade,
  purpose            text not null check (
    purpose in ('confirmation', 'recovery', 'invite', 'email_change_current', 'email_change_new')),
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  -- A code of six digits, for people who read the mail on another device. An Argon2 hash, as for a password: with
  -- SHA-256, a reader could find the code in a second by hashing all million codes.
  code_hash          text,
  code_expires_at    timestamptz,
  check ((code_hash is null) = (code_expires_at is null))
);
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id, purpose, created_at);

-- The second factor (docs/protocol.md#second-factor).
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
  -- The newest 30-second step whose code was accepted (RFC 6238, section 5.2): no code is accepted twice.
  last_used_step     bigint,
  -- A factor that waits for its first code belongs to the session that added it, so that a thief of the password cannot
  -- hinder the owner's enrolment from another session. A verified factor belongs to the account alone. No foreign key,
  -- because sessions refer to factors, and a restore cannot load a circle of tables. Once the session has ended, no
  -- request reaches the factor, and it is removed after five minutes.
  session_id         uuid,
  constraint mfa_factors_session_id_check check ((status = 'verified') = (session_id is null))
);
create unique index mfa_factors_user_id_friendly_name_key
  on auth.mfa_factors (user_id, friendly_name, session_id) nulls not distinct;

-- Codes for the day on which the phone is gone. A used code is removed.
create table auth.mfa_recovery_codes (
  user_id    uuid not null references auth.users (id) on delete cascade,
  -- The SHA-256 of the code. The code has 80 random bits, so it cannot be found from its hash.
  code_hash  bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);

create table auth.sessions (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references auth.users (id) on delete cascade,
  aal          text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  -- The methods of sign-in, the newest first: [{"method": "password", "timestamp": 1700000000}].
  amr          jsonb not null,
  -- The factor that raised the session to aal2. When the factor is removed, the session falls back to aal1.
  factor_id    uuid references auth.mfa_factors (id) on delete set null,
  -- All refresh tokens of a session share a prefix, stored as SHA-256. So a used token that is sent again still
  -- identifies the session of which a token was stolen, even if the row of the token was removed.
  family_hash  bytea not null unique check (length(family_hash) = 32),
  created_at   timestamptz not null,
  refreshed_at timestamptz
);
create index sessions_user_id_idx on auth.sessions (user_id);
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;

-- Tokens are kept after use, because a used token that is sent again reveals a stolen copy
-- (docs/protocol.md#refresh-rotation).
create table auth.refresh_tokens (
  id         bigint primary key generated always as identity,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  -- The SHA-256 of the token, so that a reader of this table cannot use the token.
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- A used token (parent) may be removed before the tokens made from it (children). Then the salt has no use.
  parent_id  bigint references auth.refresh_tokens (id) on delete set null,
  -- A refresh computes the new token from the used one and this salt, so that a repeated refresh gets the same token.
  salt       bytea,
  created_at timestamptz not null,
  revoked_at timestamptz,
  check (parent_id is null or salt is not null)
);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
create index refresh_tokens_parent_id_idx on auth.refresh_tokens (parent_id);

-- The newest key signs new tokens; tokens signed with any of the keys are accepted.
create table auth.signing_keys (
  kid         text primary key,
  private_jwk jsonb not null,
  created_at  timestamptz not null default now()
);

alter table auth.users enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_recovery_codes enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.signing_keys enable row level security;
revoke all on
  auth.users, auth.one_time_tokens, auth.mfa_factors, auth.mfa_recovery_codes, auth.sessions,
  auth.refresh_tokens, auth.signing_keys
  from public, anon, authenticated, service_role;
