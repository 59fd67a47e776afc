-- How many contacts may come: the wait of 30 seconds, identical contacts, excess and floods
-- (docs/specification.md#waiting-between-contacts, docs/specification.md#excess-of-contacts).

-- The numbers. PostgreSQL puts each in the place of its call, which costs a contact nothing. To change one, a migration
-- repeats its line: `create or replace function private.contacts_an_hour() returns integer language sql immutable return 60;`.
create function private.contact_wait() returns interval language sql immutable return interval '30 seconds';
create function private.contacts_in_a_request() returns integer language sql immutable return 20;
-- Of one sender, and of one wide network: more are spam, and still more are refused.
create function private.contacts_an_hour() returns integer language sql immutable return 30;
create function private.wide_contacts_an_hour() returns integer language sql immutable return 60;
create function private.refused_after() returns integer language sql immutable return 300;
create function private.wide_refused_after() returns integer language sql immutable return 600;
-- Of all senders together.
create function private.spam_a_day() returns integer language sql immutable return 5000;
-- How long a contact waits for another one of its sender, and a further row of a request for one of its email address.
create function private.sender_patience() returns text language sql immutable return '1s';
create function private.email_patience() returns text language sql immutable return '50ms';

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
  -- Lets the rule of the waiting time find the sender of a recent contact.
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
  -- parsed (docs/protocol.md#sender-of-a-contact). The headers are not read as JSON, which takes twice as long.
  -- Quotation marks inside of a header are escaped, so that none can stand for these. `host` removes a network mask.
  address := host(btrim(substring(
    split_part(headers, case
      when strpos(headers, '"cf-connecting-ip":"') > 0 then '"cf-connecting-ip":"' else '"x-forwarded-for":"'
    end, 2)
    from '^[^,"]*'
  ))::inet);

  -- A socket for both protocols reports IPv4 addresses in the first form; the others are of translators (RFC 6052,
  -- RFC 8215). The last four bytes are the IPv4 address.
  if address <<= any (array['::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48']::inet[]) then
    address := inet '0.0.0.0' + ((address & inet '::ffff:ffff') - inet '::');
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

-- Only a contact whose lock is taken waits here, in a block that can catch the end of the waiting time. The setting ends
-- with the function, because the function begins with it.
create function private.wait_for_lock(lock_key bigint, patience text) returns boolean
language plpgsql set search_path = '' set lock_timeout = '1s' as $$
begin
  perform set_config('lock_timeout', patience, true);
  perform pg_advisory_xact_lock(lock_key);
  return true;
exception when lock_not_available then
  return false;
end
$$;

-- Refuses, swallows or marks as spam what is too much. Every connection plans each query once, because otherwise
-- PostgreSQL plans some of them for each contact; and never as a scan of a whole table, because a plan from a time with few
-- contacts stays when there are many. Up to PostgreSQL 17, a plan that must scan a table, as the one that reads the key,
-- then looks so expensive that PostgreSQL would compile it (JIT) for each contact: 45 ms instead of 0.7 ms. In each
-- transaction plpgsql prepares anew what it meets, so what nearly no contact needs comes last.
create function private.limit_contacts() returns trigger
language plpgsql security definer
set search_path = '' set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
  -- The owner of the database, and a caller with a secret key, who acts for the owner, may import any number of contacts.
  is_visitor constant boolean := current_setting('role') in ('anon', 'authenticated');
  row_number integer;
  sender_network cidr;
  wide_network cidr;
  lock_key bigint;
  recent record;
  is_announced boolean := false;
  is_spam boolean := false;
  different uuid[];
  sender record;
  from_network integer;
  from_wide_network integer;
  has_expired boolean;
begin
  if is_visitor then
    row_number := set_config(
      'contacts.rows', (coalesce(nullif(current_setting('contacts.rows', true), ''), '0')::integer + 1)::text, true
    );
    if row_number > private.contacts_in_a_request() then
      raise exception using errcode = 'PT413', message = format(
        'One request may contain at most %s contacts.', private.contacts_in_a_request()
      );
    end if;

    -- Each request takes the lock of its sender before the first lock of an email address. This order prevents deadlocks.
    -- An unknown sender is not counted, so no lock has to make the count exact. If another request of this sender takes
    -- long, the contact is stored without the lock, and the count may be too low.
    sender_network := private.sender_network();
    if family(sender_network) = 6 then
      wide_network := network(set_masklen(sender_network, 48));
    end if;
    lock_key := hashtextextended('contacts by ' || coalesce(wide_network, sender_network)::text, 0);
    if row_number = 1 and not pg_try_advisory_xact_lock(lock_key) then
      perform private.wait_for_lock(lock_key, private.sender_patience());
    end if;
  end if;

  -- Contacts from one email address come one after the other, so that two at the same moment see each other. The further
  -- rows of a visitor's request wait only briefly: two requests that wait for each other's addresses would be a deadlock,
  -- and many that cross each other would wait one after the other.
  lock_key := hashtextextended('contact from ' || new.email, 0);
  if not pg_try_advisory_xact_lock(lock_key) then
    if coalesce(row_number, 1) = 1 then
      perform pg_advisory_xact_lock(lock_key);
    elsif not private.wait_for_lock(lock_key, private.email_patience()) then
      raise exception using
        errcode = 'PT429', detail = 'wait', message = 'You''re sending too fast. Please wait a few seconds and try again.';
    end if;
  end if;

  -- The comparison goes both ways, because the transaction that waited for the lock may have begun before the one that
  -- stored its contact. Comparing with the new row's own time allows an import of contacts of the past.
  for recent in
    select c.id, c.announced, (c.name, c.company, c.interest) = (new.name, new.company, new.interest) as is_same
    from public.contacts c
    where c.email = new.email
      and c.submitted_at > new.submitted_at - private.contact_wait()
      and c.submitted_at < new.submitted_at + private.contact_wait()
  loop
    is_announced := is_announced or recent.is_same and recent.announced;
    is_spam := is_spam or recent.is_same and not recent.announced;
    if not recent.is_same then
      different := different || recent.id;
    end if;
  end loop;

  if is_visitor then
    -- A refusal below also undoes this insert.
    insert into private.contact_senders as s (address_hash, wide_network_hash, contact_id, stored_at)
    select
      coalesce(sha256(k.key || convert_to(sender_network::text, 'UTF8')), 'unknown'),
      sha256(k.key || convert_to(wide_network::text, 'UTF8')),
      new.id,
      now()
    from private.sender_key k
    returning s.address_hash, s.wide_network_hash into sender;
    -- The contacts of the last hour, with this one. More than are refused are not stored, so there is no more to count.
    select count(*), exists (select from private.contact_senders o where o.stored_at <= now() - interval '1 hour')
    into from_network, has_expired
    from private.contact_senders s
    where s.address_hash = sender.address_hash and s.stored_at > now() - interval '1 hour'
      and s.address_hash <> 'unknown';
    if wide_network is not null then
      select count(*) into from_wide_network from private.contact_senders s
      where s.wide_network_hash = sender.wide_network_hash and s.stored_at > now() - interval '1 hour';
    end if;

    -- More than a contact adds. Rows that another transaction has locked are left to the next contact.
    if has_expired then
      delete from private.contact_senders where ctid = any (array(
        select s.ctid from private.contact_senders s
        where s.stored_at <= now() - interval '1 hour' order by s.stored_at limit 100 for update skip locked
      ));
    end if;

    -- Only the same sender has to wait. Otherwise a stranger who writes in somebody's name would keep that person out.
    if different is not null and not is_announced and exists (
      select from private.contact_senders s
      where s.address_hash = sender.address_hash
        and s.stored_at > new.submitted_at - private.contact_wait()
        and s.contact_id = any (different)
    ) then
      raise exception using
        errcode = 'PT429', detail = 'wait', message = 'You''re sending too fast. Please wait a few seconds and try again.';
    end if;

    if from_network > private.contacts_an_hour() then
      new.spam_reason := format(
        'More than %s contacts within an hour came from the same internet address.', private.contacts_an_hour()
      );
    elsif from_wide_network > private.wide_contacts_an_hour() then
      new.spam_reason := format(
        'More than %s contacts within an hour came from the same network.', private.wide_contacts_an_hour()
      );
    end if;
  end if;

  -- An identical contact is announced once, whoever sends it: a retry may come from another network. It is stored once
  -- more where the stored one is spam, because its sender was in excess, who may be a stranger in this person's name.
  if new.spam_reason is null then
    return case when not is_announced then new end;
  end if;
  -- One sender cannot fill the disk, and neither can all together.
  if is_visitor and (
    from_network > private.refused_after() or from_wide_network > private.wide_refused_after() or exists (
      select from public.contacts c
      where c.spam_reason is not null and c.submitted_at > now() - interval '1 day'
      order by c.submitted_at offset private.spam_a_day() - 1 limit 1
    )
  ) then
    raise exception using
      errcode = 'PT429', message = 'Too many contacts came from your network. Please try again later.';
  end if;
  if is_announced or is_spam and is_visitor then
    return null;
  end if;
  new.state := 'spam';
  new.announced := false;
  return new;
end
$$;
create trigger "2 limit the contacts of a sender" before insert on public.contacts
  for each row execute function private.limit_contacts();
