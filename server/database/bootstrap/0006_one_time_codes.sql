-- A mail brings a code of six digits beside its link, for whoever reads it elsewhere than where they sign in; and mails
-- do more than confirm an address.
alter table auth.one_time_tokens
  drop constraint one_time_tokens_purpose_check,
  add constraint one_time_tokens_purpose_check check (purpose in ('confirmation', 'recovery', 'invite')),
  -- Argon2 like a password: SHA-256 would give one of a million codes away in no time.
  add column code_hash       text,
  add column code_expires_at timestamptz,
  -- The link goes on working without tries: nobody can spend it by guessing at the code.
  add column code_tries_left smallint not null default 0 check (code_tries_left between 0 and 5),
  add check ((code_hash is null) = (code_expires_at is null));

alter table auth.users
  add column recovery_sent_at timestamptz,
  add column invited_at       timestamptz;
