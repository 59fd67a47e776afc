-- The tables of this server's auth API: sessions, tokens, signing keys and the audit log. A hosted project has tables
-- of these names with other columns, which does no harm, because only the auth API reads them. Only `users` must have
-- the same columns as in a hosted project.
alter table auth.users
  add column confirmation_sent_at timestamptz,
  -- Every account has exactly one identity, its email address. So a separate table of identities would only repeat the
  -- accounts.
  add column identity_id uuid not null default gen_random_uuid();

create table auth.sessions (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references auth.users (id) on delete cascade,
  aal          text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  -- The methods of sign-in, the newest first: [{"method": "password", "timestamp": 1700000000}].
  amr          jsonb not null,
  created_at   timestamptz not null,
  refreshed_at timestamptz,
  ip           text,
  user_agent   text
);
create index sessions_user_id_idx on auth.sessions (user_id);

-- Tokens are kept after use, because a used token that is sent again reveals a stolen copy
-- (docs/protocol.md#refresh-rotation).
create table auth.refresh_tokens (
  id         bigint primary key generated always as identity,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  -- The SHA-256 of the token, so that a reader of this table cannot use the token.
  token_hash bytea not null unique check (length(token_hash) = 32),
  parent_id  bigint references auth.refresh_tokens (id) on delete cascade,
  -- A refresh computes the new token (child) from the used one (parent) and this salt, so that a repeated refresh gets
  -- the same child.
  salt       bytea,
  created_at timestamptz not null,
  revoked_at timestamptz,
  check ((parent_id is null) = (salt is null))
);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
create index refresh_tokens_parent_id_idx on auth.refresh_tokens (parent_id);

-- Tokens of mailed links. There is at most one per account and purpose: a new token replaces the old one, and a used
-- token is removed.
create table auth.one_time_tokens (
  user_id    uuid not null references auth.users (id) on delete cascade,
  purpose    text not null check (purpose in ('confirmation')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);

-- The time of the last mail requested for an address, with or without an account. Only the SHA-256 of the address is
-- stored, and only for an hour.
create table auth.mail_marks (
  address_hash bytea primary key check (length(address_hash) = 32),
  asked_at     timestamptz not null
);
create index mail_marks_asked_at_idx on auth.mail_marks (asked_at);

-- The newest key signs new tokens; tokens signed with any of the keys are accepted.
create table auth.signing_keys (
  kid         text primary key,
  private_jwk jsonb not null,
  created_at  timestamptz not null default now()
);

create table auth.audit_log_entries (
  id         uuid primary key default gen_random_uuid(),
  payload    jsonb not null,
  created_at timestamptz not null,
  ip_address text not null default ''
);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);

alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.mail_marks enable row level security;
alter table auth.signing_keys enable row level security;
alter table auth.audit_log_entries enable row level security;
revoke all on
  auth.sessions, auth.refresh_tokens, auth.one_time_tokens, auth.mail_marks, auth.signing_keys, auth.audit_log_entries
  from public, anon, authenticated, service_role;
