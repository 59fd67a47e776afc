-- Sessions end, and what is no longer needed is removed a few rows at a time (server/auth/retention.ts): these indexes
-- find it without reading the tables.
create index sessions_created_at_idx on auth.sessions (created_at);
create index sessions_last_used_at_idx on auth.sessions (greatest(created_at, refreshed_at, used_at));
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
create index familiar_places_seen_at_idx on auth.familiar_places (kind, seen_at);

-- All refresh tokens of a session begin alike. So one that comes back after its row was removed still tells which session
-- has a second user. SHA-256, as of the tokens; sessions from before this file have none, and keep all of their tokens.
alter table auth.sessions
  add column family_hash bytea unique check (length(family_hash) = 32);

-- A parent may go before its children. Its own salt means nothing any more then.
alter table auth.refresh_tokens
  drop constraint refresh_tokens_parent_id_fkey,
  add constraint refresh_tokens_parent_id_fkey
    foreign key (parent_id) references auth.refresh_tokens (id) on delete set null,
  drop constraint refresh_tokens_check,
  add check (parent_id is null or salt is not null);
