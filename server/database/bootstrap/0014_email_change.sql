-- A change of the email address waits until both addresses have confirmed it (docs/protocol.md#change-of-the-email-address).
-- A code that is mailed by GET /reauthenticate needs no column but its time. The times and `email_change` have the names of
-- a hosted project's columns.
alter table auth.users
  add column email_change              text check (email_change = lower(email_change) and char_length(email_change) <= 255),
  add column email_change_sent_at      timestamptz,
  add column reauthentication_sent_at  timestamptz,
  -- The address that has confirmed the change already; null: neither.
  add column email_change_confirmed_by text check (email_change_confirmed_by in ('current', 'new'));
create index users_email_change_idx on auth.users (email_change) where email_change is not null;

alter table auth.one_time_tokens
  drop constraint one_time_tokens_purpose_check,
  add constraint one_time_tokens_purpose_check check (
    purpose in ('confirmation', 'recovery', 'invite', 'email_change_current', 'email_change_new', 'reauthentication'));
