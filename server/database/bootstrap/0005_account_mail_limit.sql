-- When account mails were asked for, whoever asked and whether one was sent. A row is kept for an hour, which is what
-- the limit counts.
create table auth.mail_requests (
  asked_at timestamptz not null
);
create index mail_requests_asked_at_idx on auth.mail_requests (asked_at);

alter table auth.mail_requests enable row level security;
revoke all on auth.mail_requests from public, anon, authenticated, service_role;
