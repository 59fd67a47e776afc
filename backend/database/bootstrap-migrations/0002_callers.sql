-- The schemas and functions of a hosted Supabase project that the migrations use
-- (docs/protocol.md#database-contract).
create schema auth;
create schema extensions;
grant usage on schema public, auth, extensions to anon, authenticated, service_role;

-- PostgreSQL before 15 lets every role create tables in public. A database that was restored from a backup of such a
-- version does so too.
revoke create on schema public from public;

-- The claims of the caller's token.
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
