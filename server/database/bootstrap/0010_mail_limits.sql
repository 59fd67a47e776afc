-- Lets the links of several mails be valid at once: a newer mail ends only links that are older than an hour. Otherwise
-- a stranger who requests mails for an address would end each link before its owner follows it
-- (docs/protocol.md#lifetimes-of-links-and-codes).
alter table auth.one_time_tokens
  drop constraint one_time_tokens_pkey,
  drop constraint one_time_tokens_token_hash_key,
  add primary key (token_hash),
  add column created_at timestamptz not null default now(),
  -- All networks together have 25 attempts at a code, so that one network cannot use up those of the others.
  drop constraint one_time_tokens_code_attempts_left_check,
  add constraint one_time_tokens_code_attempts_left_check check (code_attempts_left between 0 and 25);
-- The server's clock decides from here on, as in the other tables.
alter table auth.one_time_tokens alter column created_at drop default;
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id, purpose, created_at);

-- Mails are limited by token buckets in `rate_limits`, like requests and attempts. At most an hour of counting is lost.
drop table auth.mail_cooldowns, auth.mail_requests;
