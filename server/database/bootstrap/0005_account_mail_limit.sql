-- The times of all requests for account mails, for the limit per hour (docs/protocol.md#mail-limits). A request counts
-- even if no mail was sent. Rows are removed after an hour.
create table auth.mail_requests (
  asked_at timestamptz not null
);
create index mail_requests_asked_at_idx on auth.mail_requests (asked_at);

alter table auth.mail_requests enable row level security;
revoke all on auth.mail_requests from public, anon, authenticated, service_role;
