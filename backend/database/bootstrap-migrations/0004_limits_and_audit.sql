-- Rate limits and the log of events. They are in the database, so that several servers count together.

-- Token buckets limit the attempts at an account per network, and the mails. A bucket is stored as the time at which it is
-- full again. Each attempt makes this time later, and a row whose time has passed may be removed. The table is unlogged,
-- because every attempt writes here, and no backup needs it. There is no index on the time, so that an attempt changes
-- none. The keys are hashes (SHA-256). A hash hides an internet address from a casual reader, but not from an attacker,
-- who can hash all IPv4 addresses. Therefore the daily removal deletes full buckets. Until then one network can add about
-- 130,000 rows a day, or 22 MB: sign-ins and codes at invented addresses, one of each in two seconds.
create unlogged table auth.rate_limits (
  key_hash bytea primary key check (length(key_hash) = 32),
  full_at  timestamptz not null
);

-- Takes a token of a bucket with `at_once` tokens, each of which comes back after so many seconds. Returns null, or the
-- seconds until there is a token. The lock of the row makes a limit exact for any number of requests and servers. A time
-- further ahead than an empty bucket has was stored while the clock was wrong: then the bucket counts as full, so that
-- nobody is locked out for years.
create function auth.take_token(key bytea, seconds float, at_once integer, at timestamptz) returns integer
language plpgsql as $$
declare
  pause constant interval := make_interval(secs => seconds);
  whole constant interval := pause * at_once;
begin
  insert into auth.rate_limits as bucket (key_hash, full_at) values (key, at + pause)
  on conflict (key_hash) do update
    set full_at = case when bucket.full_at between at and at + whole then bucket.full_at else at end + pause
    where bucket.full_at <= at + whole - pause or bucket.full_at > at + whole + interval '1 minute';
  if found then return null; end if;
  return (select ceil(extract(epoch from full_at - at - whole + pause)) from auth.rate_limits where key_hash = key);
end
$$;

-- What happened to accounts, for `npm run admin -- events`.
create table auth.audit_log_entries (
  id         uuid primary key default gen_random_uuid(),
  payload    jsonb not null,
  created_at timestamptz not null,
  ip_address text not null default ''
);

alter table auth.rate_limits enable row level security;
alter table auth.audit_log_entries enable row level security;
revoke all on auth.rate_limits, auth.audit_log_entries from public, anon, authenticated, service_role;
