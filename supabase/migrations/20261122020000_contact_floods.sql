-- Stops floods of contacts. A visitor sends at most 20 contacts in one request. IPv6 senders are also counted per /48.
-- Past a bound on stored spam, a contact is refused. The 30-second rule compares the sender as well, so that a stranger
-- who writes in somebody's name makes nobody wait (docs/specification.md#excess-of-contacts).

-- The sender of a contact is identified by one or two values: the hash of its network (`address_hash`), and for IPv6
-- the hash of the /48 around that network. A provider gives one customer up to a /48, which has 65,536 networks of
-- size /64. A sender whose address is not known has the value `unknown` instead of a hash.
alter table private.contact_senders
  add column wide_network_hash bytea,
  -- Lets the 30-second rule find the sender of a recent contact.
  add column contact_id uuid;
create index contact_senders_by_wide_network on private.contact_senders (wide_network_hash, stored_at)
  where wide_network_hash is not null;

-- Serves the bound on the spam of one day.
create index contacts_spam on public.contacts (submitted_at) where spam_reason is not null;

drop function private.sender_hash();
drop function private.sender_network();

-- The internet address of the caller, or null if the headers do not identify the caller.
create function private.sender_address() returns inet
language plpgsql stable set search_path = '' as $$
declare
  headers json;
  address inet;
begin
  begin
    headers := nullif(current_setting('request.headers', true), '');
    -- On a hosted project a client can write the first entry of `x-forwarded-for`, but not `cf-connecting-ip`, which the
    -- proxy of the platform sets. Our own server never passes `cf-connecting-ip`, and passes an address that it has
    -- parsed (docs/protocol.md#sender-of-a-contact). `host` removes a network mask.
    address := host(btrim(split_part(
      coalesce(headers ->> 'cf-connecting-ip', headers ->> 'x-forwarded-for'), ',', 1
    ))::inet);
  exception when others then
    -- An unreadable header must not refuse the contact.
    return null;
  end;

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
  return address;
end
$$;

-- The values that identify the sender of this request. Null for the owner and for a caller with a secret key, who acts
-- for the owner: they may import any number of contacts.
create function private.identify_sender() returns bytea[]
language plpgsql stable set search_path = '' as $$
declare
  address inet;
  key bytea;
begin
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') then
    return null;
  end if;
  address := private.sender_address();
  if address is null then
    return array['unknown'::bytea];
  end if;

  select k.key into key from private.sender_key k;
  if family(address) = 4 then
    return array[sha256(key || convert_to(network(address)::text, 'UTF8'))];
  end if;
  return array[
    sha256(key || convert_to(network(set_masklen(address, 64))::text, 'UTF8')),
    sha256(key || convert_to(network(set_masklen(address, 48))::text, 'UTF8'))
  ];
end
$$;

-- Identifies the sender once per statement, for the triggers of all rows. Takes the lock of the sender before the first
-- row takes the lock of its email address. Every statement takes the two locks in this order, which prevents deadlocks.
create or replace function private.take_turns_by_sender() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1s' as $$
declare
  sender constant bytea[] := private.identify_sender();
begin
  perform set_config('contacts.sender', coalesce(sender::text, ''), true), set_config('contacts.row', '0', true);
  begin
    -- An unknown sender is not counted, so no lock has to make the count exact.
    if sender <> array['unknown'::bytea] then
      perform pg_advisory_xact_lock(hashtextextended('contacts by ' || sender[cardinality(sender)]::text, 0));
    end if;
  exception when lock_not_available then
    -- Another request of this sender takes long. The contact is stored without the lock, so the count may be too low.
    null;
  end;
  return null;
end
$$;

create or replace function private.wait_between_contacts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wait constant interval := '30 seconds';
  too_fast constant text := 'You''re sending too fast. Please wait a few seconds and try again.';
  rows_max constant integer := 20;
  row_number constant integer := current_setting('contacts.row')::integer + 1;
  sender constant bytea[] := nullif(current_setting('contacts.sender'), '')::bytea[];
  recent public.contacts;
  different uuid[];
begin
  perform set_config('contacts.row', row_number::text, true);
  if row_number > rows_max and sender is not null then
    raise exception using
      errcode = 'PT413', message = format('One request may contain at most %s contacts.', rows_max);
  end if;

  -- Contacts from one email address come one after the other, so that two at the same moment see each other. The
  -- further rows of a visitor's request wait only briefly for this lock: two requests that wait for each other's
  -- addresses would be a deadlock.
  if row_number = 1 or sender is null then
    perform pg_advisory_xact_lock(hashtextextended('contact from ' || new.email, 0));
  else
    begin
      perform set_config('lock_timeout', '200ms', true);
      perform pg_advisory_xact_lock(hashtextextended('contact from ' || new.email, 0));
    exception when lock_not_available then
      raise exception using errcode = 'PT429', message = too_fast;
    end;
  end if;

  -- The comparison goes both ways, because the transaction that waited for the lock may have begun before the one that
  -- stored its contact. Comparing with the new row's own time allows an import of contacts of the past.
  for recent in
    select * from public.contacts c
    where c.email = new.email
      and c.submitted_at > new.submitted_at - wait
      and c.submitted_at < new.submitted_at + wait
  loop
    -- An identical contact is stored once, whoever sends it: a retry may come from another network.
    if (recent.name, recent.company, recent.interest) = (new.name, new.company, new.interest) then
      return null;
    end if;
    different := different || recent.id;
  end loop;

  -- Only the same sender has to wait. Otherwise a stranger who writes in somebody's name would keep that person out.
  if different is not null and exists (
    select from private.contact_senders s
    where s.address_hash = sender[1] and s.stored_at > new.submitted_at - wait and s.contact_id = any (different)
  ) then
    raise exception using errcode = 'PT429', message = too_fast;
  end if;
  return new;
end
$$;

create or replace function private.file_excess_as_spam() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- More than these within an hour is spam.
  from_address_max constant integer := 30;
  from_wide_network_max constant integer := 60;
  -- More than these within an hour is refused, so that one sender cannot fill the disk.
  stored_from_address_max constant integer := 300;
  stored_from_wide_network_max constant integer := 600;
  -- With so much spam of all senders within a day, further spam is refused.
  spam_max constant integer := 5000;

  hour_ago constant timestamptz := now() - interval '1 hour';
  sender constant bytea[] := nullif(current_setting('contacts.sender'), '')::bytea[];
  from_address integer;
  from_wide_network integer := 0;
  excess text;
begin
  -- Each contact deletes more expired rows than it adds. It skips rows that another transaction has locked.
  delete from private.contact_senders where ctid = any (array(
    select s.ctid from private.contact_senders s
    where s.stored_at <= hour_ago order by s.stored_at limit 5 for update skip locked
  ));

  if sender is null then
    return new;
  end if;
  if sender <> array['unknown'::bytea] then
    select count(*) into from_address from (
      select from private.contact_senders s
      where s.address_hash = sender[1] and s.stored_at > hour_ago limit stored_from_address_max
    ) recent;
    if sender[2] is not null then
      select count(*) into from_wide_network from (
        select from private.contact_senders s
        where s.wide_network_hash = sender[2] and s.stored_at > hour_ago limit stored_from_wide_network_max
      ) recent;
    end if;

    excess := case
      when from_address >= from_address_max
        then format('More than %s contacts within an hour came from the same internet address.', from_address_max)
      when from_wide_network >= from_wide_network_max
        then format('More than %s contacts within an hour came from the same network.', from_wide_network_max)
    end;
    if from_address >= stored_from_address_max or from_wide_network >= stored_from_wide_network_max
      or excess is not null and exists (
        select from public.contacts c
        where c.spam_reason is not null and c.submitted_at > now() - interval '1 day'
        order by c.submitted_at offset spam_max - 1 limit 1
      )
    then
      raise exception using
        errcode = 'PT429', message = 'Too many contacts came from your network. Please try again later.';
    end if;
    new.spam_reason := coalesce(new.spam_reason, excess);
  end if;

  insert into private.contact_senders (address_hash, wide_network_hash, contact_id, stored_at)
  values (sender[1], sender[2], new.id, now());
  return new;
end
$$;
revoke all on all functions in schema private from public, anon, authenticated, service_role;

notify pgrst, 'reload schema';
