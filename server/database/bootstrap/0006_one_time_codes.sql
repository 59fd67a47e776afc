-- Adds a code of six digits to a mailed link, for people who read the mail on another device. Also adds the purposes
-- recovery and invite.
alter table auth.one_time_tokens
  drop constraint one_time_tokens_purpose_check,
  add constraint one_time_tokens_purpose_check check (purpose in ('confirmation', 'recovery', 'invite')),
  -- An Argon2 hash, as for a password: with SHA-256, a reader could find the code in a second by hashing all million
  -- codes.
  add column code_hash       text,
  add column code_expires_at timestamptz,
  -- When no attempts at the code are left, the link still works, so that guessing the code cannot invalidate the link.
  add column code_tries_left smallint not null default 0 check (code_tries_left between 0 and 5),
  add check ((code_hash is null) = (code_expires_at is null));

alter table auth.users
  add column recovery_sent_at timestamptz,
  add column invited_at       timestamptz;
