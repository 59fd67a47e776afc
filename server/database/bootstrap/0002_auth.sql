-- The parts of a hosted Supabase project that the migrations need: the functions about the caller and the table of
-- accounts (docs/protocol.md#database-contract).
create schema auth;
create schema extensions;
grant usage on schema public, auth, extensions to anon, authenticated, service_role;

-- PostgreSQL before 15 lets every role create tables in public. A database that was restored from a backup of such a
-- version does so too.
revoke create on schema public from public;

create function auth.jwt() returns jsonb
language sql stable as $$
  -- After a transaction the setting reads '' instead of null.
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb
$$;
create function auth.uid() returns uuid
language sql stable as $$
  select nullif(auth.jwt() ->> 'sub', '')::uuid
$$;
create function auth.role() returns text
language sql stable as $$
  select auth.jwt() ->> 'role'
$$;
create function auth.email() returns text
language sql stable as $$
  select auth.jwt() ->> 'email'
$$;

-- The columns have the same names as in a hosted project, so that the same SQL works on both.
create table auth.users (
  id                 uuid primary key default gen_random_uuid(),
  aud                text not null default 'authenticated',
  role               text not null default 'authenticated',
  email              text check (email = lower(email) and char_length(email) <= 255),
  encrypted_password text,
  email_confirmed_at timestamptz,
  last_sign_in_at    timestamptz,
  raw_app_meta_data  jsonb not null default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb not null default '{}',
  banned_until       timestamptz,
  is_anonymous       boolean not null default false,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
create unique index users_email_key on auth.users (email);
alter table auth.users enable row level security;
revoke all on auth.users from public, anon, authenticated, service_role;
