-- How many contacts may come: the wait of 30 seconds, identical contacts, excess and floods
-- (docs/specification.md#waiting-between-contacts, docs/specification.md#excess-of-contacts).

-- Internet addresses are stored only as a hash with this key. Without a key, a reader of the hashes could hash all IPv4
-- addresses and compare. A reader of the key and the hashes learns the addresses of one hour at most.
create table private.sender_key (
  key bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
insert into private.sender_key default values;

-- One row per contact of the last hour. The table is unlogged, so that it is neither archived nor replicated; a crash
-- empties it, which loses an hour of counting.
create unlogged table private.contact_senders (
  -- The hash of the sender's network, or `unknown`.
  address_hash      bytea not null,
  -- For IPv6 the hash of the /48 around that network, which the rate limits of the server call an end site. A provider
  -- gives one customer up to a /48, which has 65,536 networks of size /64.
  wide_network_hash bytea,
  -- Lets the 30-second rule find the sender of a recent contact.
  contact_id        uuid,
  stored_at         timestamptz not null
);
create index contact_senders_by_address on private.contact_senders (address_hash, stored_at);
create index contact_senders_by_wide_network on private.contact_senders (wide_network_hash, stored_at)
  where wide_network_hash is not null;
create index contact_senders_by_age on private.contact_senders (stored_at);

alter table private.sender_key enable row level security;
alter table private.contact_senders enable row level security;
revoke all on private.sender_key, private.contact_senders from public, anon, authenticated, service_role;

-- The network of the sender of this request: an IPv4 address or the /64 of an IPv6 address. Null if the headers do not
-- identify the sender.
create function private.sender_network() returns cidr
language plpgsql stable set search_path = '' as $$
declare
  headers constant text := current_setting('request.headers', true);
  address inet;
begin
  -- On a hosted project a client can write the first entry of `x-forwarded-for`, but not `cf-connecting-ip`, which the
  -- proxy of the platform sets. Our own server never passes `cf-connecting-ip`, and passes an address that it has
  -- parsed (docs/protocol.md#sender-of-a-contact). Reading one header parses all, so the first is read only if its name
  -- is there. `host` removes a network mask.
  address := host(btrim(split_part(coalesce(
    case when strpos(headers, '"cf-connecting-ip"') > 0 then headers::json ->> 'cf-connecting-ip' end,
    headers::json ->> 'x-forwarded-for'
  ), ',', 1))::inet);

  -- A socket for both protocols reports IPv4 addresses in this form. As a /64, all of them would be one sender.
  if address <<= '::ffff:0:0/96' then
    address := inet '0.0.0.0' + (address - inet '::ffff:0:0');
  end if;

  -- Local and private addresses. A request from the public internet with such an address came through a proxy that does
  -- not name the client, so the address would make one sender of all visitors.
  if address <<= any (array[
    '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16',
    '::/127', 'fc00::/7', 'fe80::/10'
  ]::inet[]) then
    return null;
  end if;
  return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
exception when others then
  -- An unreadable header must not refuse the contact.
  return null;
end
$$;

-- The two locks of a contact are tried first. Only a contact whose lock is taken waits here, in a block that can catch
-- the end of the waiting time.
create function private.wait_for_sender(lock_key bigint) returns void
language plpgsql set search_path = '' set lock_timeout = '1s' as $$
begin
  perform pg_advisory_xact_lock(lock_key);
exception when lock_not_available then
  -- Another request of this sender takes long. The contact is stored without the lock, so the count may be too low.
  null;
end
$$;

-- The limit is short, because many requests that cross each other wait one after the other, each with three seconds.
create function private.wait_for_email(lock_key bigint) returns void
language plpgsql set search_path = '' set lock_timeout = '50ms' as $$
begin
  perform pg_advisory_xact_lock(lock_key);
exception when lock_not_available then
  raise exception using
    errcode = 'PT429', message = 'You''re sending too fast. Please wait a few seconds and try again.';
end
$$;

-- Deletes expired rows, more than a contact adds. It skips rows that another transaction has locked.
create function private.forget_senders(before timestamptz) returns void
language sql set search_path = '' as $$
  delete from private.contact_senders where ctid = any (array(
    select s.ctid from private.contact_senders s
    where s.stored_at <= before order by s.stored_at limit 100 for update skip locked
  ))
$$;

-- Refuses, swallows or marks as spam what is too much (docs/specification.md#waiting-between-contacts). The numbers stand
-- where they are compared, because plpgsql computes a declared constant anew for each contact. Every connection plans
-- each query once, because otherwise PostgreSQL plans some of them for each contact; and never as a scan of a whole
-- table, because a plan from a time with few contacts stays when there are many. Up to PostgreSQL 17, a plan that must
-- scan a table, as the one that reads the key, then looks so expensive that PostgreSQL would compile it (JIT) for each
-- contact: 45 ms instead of 0.7 ms.
create function private.limit_contacts() returns trigger
language plpgsql security definer
set search_path = '' set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
  -- The owner of the database, and a caller with a secret key, who acts for the owner, may import any number of contacts.
  is_visitor constant boolean := current_setting('role') in ('anon', 'authenticated');
  hour_ago constant timestamptz := now() - interval '1 hour';
  row_number integer;
  -- A provider gives one customer up to a /48 of IPv6, which has 65,536 networks of size /64.
  sender_network cidr;
  wide_network cidr;
  sender_lock bigint;
  email_lock bigint;
  is_repeated boolean;
  different uuid[];
  sender record;
  from_network integer;
  from_wide_network integer;
  excess text;
begin
  if is_visitor then
    row_number := set_config(
      'contacts.rows', (coalesce(nullif(current_setting('contacts.rows', true), ''), '0')::integer + 1)::text, true
    );
    if row_number > 20 then
      raise exception using errcode = 'PT413', message = 'One request may contain at most 20 contacts.';
    end if;

    -- Each request takes the lock of its sender before the first lock of an email address. This order prevents deadlocks.
    -- An unknown sender is not counted, so no lock has to make the count exact.
    sender_network := private.sender_network();
    if family(sender_network) = 6 then
      wide_network := network(set_masklen(sender_network, 48));
    end if;
    sender_lock := hashtextextended('contacts by ' || coalesce(wide_network, sender_network)::text, 0);
    if row_number = 1 and not pg_try_advisory_xact_lock(sender_lock) then
      perform private.wait_for_sender(sender_lock);
    end if;
  end if;

  -- Contacts from one email address come one after the other, so that two at the same moment see each other. The
  -- further rows of a visitor's request wait only briefly for this lock: two requests that wait for each other's
  -- addresses would be a deadlock.
  email_lock := hashtextextended('contact from ' || new.email, 0);
  if not pg_try_advisory_xact_lock(email_lock) then
    if row_number > 1 then
      perform private.wait_for_email(email_lock);
    else
      perform pg_advisory_xact_lock(email_lock);
    end if;
  end if;

  -- The comparison goes both ways, because the transaction that waited for the lock may have begun before the one that
  -- stored its contact. Comparing with the new row's own time allows an import of contacts of the past.
  select bool_or((c.name, c.company, c.interest) = (new.name, new.company, new.interest)), array_agg(c.id)
  into is_repeated, different
  from public.contacts c
  where c.email = new.email
    and c.submitted_at > new.submitted_at - interval '30 seconds'
    and c.submitted_at < new.submitted_at + interval '30 seconds';

  -- An identical contact is stored once, whoever sends it: a retry may come from another network.
  if is_repeated then
    return null;
  end if;
  if not is_visitor then
    return new;
  end if;

  -- A refusal below also undoes this insert.
  insert into private.contact_senders as s (address_hash, wide_network_hash, contact_id, stored_at)
  select
    coalesce(sha256(k.key || convert_to(sender_network::text, 'UTF8')), 'unknown'),
    sha256(k.key || convert_to(wide_network::text, 'UTF8')),
    new.id,
    now()
  from private.sender_key k
  returning s.address_hash, s.wide_network_hash,
    (select min(o.stored_at) from private.contact_senders o) <= hour_ago as others_expired
  into sender;
  if sender.others_expired then
    perform private.forget_senders(hour_ago);
  end if;

  -- Only the same sender has to wait. Otherwise a stranger who writes in somebody's name would keep that person out.
  if different is not null and exists (
    select from private.contact_senders s
    where s.address_hash = sender.address_hash
      and s.stored_at > new.submitted_at - interval '30 seconds'
      and s.contact_id = any (different)
  ) then
    raise exception using
      errcode = 'PT429', message = 'You''re sending too fast. Please wait a few seconds and try again.';
  end if;
  if sender_network is null then
    return new;
  end if;

  -- The contacts of the last hour, with this one. More than 30 of one network, or 60 of one wide network, are spam.
  select count(*) into from_network from (
    select from private.contact_senders s
    where s.address_hash = sender.address_hash and s.stored_at > hour_ago limit 301
  ) recent;
  if wide_network is not null then
    select count(*) into from_wide_network from (
      select from private.contact_senders s
      where s.wide_network_hash = sender.wide_network_hash and s.stored_at > hour_ago limit 601
    ) recent;
  end if;
  if from_network > 30 then
    excess := 'More than 30 contacts within an hour came from the same internet address.';
  elsif from_wide_network > 60 then
    excess := 'More than 60 contacts within an hour came from the same network.';
  else
    return new;
  end if;

  -- More than 300 of one network, or 600 of one wide network, are refused, so that one sender cannot fill the disk. With
  -- 5000 of all senders within a day, all spam is refused.
  if from_network > 300 or from_wide_network > 600 or exists (
    select from public.contacts c
    where c.spam_reason is not null and c.submitted_at > now() - interval '1 day'
    order by c.submitted_at offset 4999 limit 1
  ) then
    raise exception using
      errcode = 'PT429', message = 'Too many contacts came from your network. Please try again later.';
  end if;
  new.spam_reason := coalesce(new.spam_reason, excess);
  return new;
end
$$;

create trigger "2 limit the contacts of a sender" before insert on public.contacts
  for each row execute function private.limit_contacts();

-- Sees the reason that the limits have set.
create function private.file_spam() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.state := 'spam';
  new.announced := false;
  return new;
end
$$;
create trigger "3 file spam" before insert on public.contacts
  for each row when (new.spam_reason is not null) execute function private.file_spam();

revoke all on function
  private.sender_network(), private.wait_for_sender(bigint), private.wait_for_email(bigint),
  private.forget_senders(timestamptz), private.limit_contacts(), private.file_spam()
  from public, anon, authenticated, service_role;
