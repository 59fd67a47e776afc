-- The server removes expired sessions and old rows, a few at a time. With these indexes it finds them without reading
-- the whole tables.
create index sessions_created_at_idx on auth.sessions (created_at);
create index sessions_last_used_at_idx on auth.sessions (greatest(created_at, refreshed_at, used_at));
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
create index familiar_places_seen_at_idx on auth.familiar_places (kind, seen_at);

-- All refresh tokens of a session share a prefix, stored as SHA-256. So a used token that is sent again still
-- identifies the session of which a token was stolen, even if the row of the token was removed. Sessions older than
-- this migration have no prefix and keep all rows of their tokens.
alter table auth.sessions
  add column family_hash bytea unique check (length(family_hash) = 32);

-- A used token (parent) may be removed before the tokens made from it (children). Then the salt of the child has no
-- use.
alter table auth.refresh_tokens
  drop constraint refresh_tokens_parent_id_fkey,
  add constraint refresh_tokens_parent_id_fkey
    foreign key (parent_id) references auth.refresh_tokens (id) on delete set null,
  drop constraint refresh_tokens_check,
  add check (parent_id is null or salt is not null);
