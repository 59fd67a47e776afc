-- Marks the thirty-first and every further contact of one internet address within an hour as spam. These contacts are
-- stored with the reason and not refused, because colleagues share an address, and all phones of a country may share a
-- few addresses.

-- Null for a contact that is not spam. Visitors cannot write this column, because they have a right to insert only into
-- the columns of the form.
alter table public.contacts add column spam_reason text check (spam_reason <> '');

-- Internet addresses are stored only as a hash with this key. Without a key, a reader of the hashes could hash all IPv4
-- addresses and compare. A reader of the key and the hashes learns the addresses of one hour at most.
create table private.sender_key (
  key bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
alter table private.sender_key enable row level security;
revoke all on private.sender_key from public, anon, authenticated, service_role;
insert into private.sender_key default values;

-- One row per contact of the last hour. The table is unlogged, so that it is neither archived nor replicated; a crash
-- empties it, which loses an hour of counting.
create unlogged table private.contact_senders (
  address_hash bytea not null,
  stored_at    timestamptz not null
);
alter table private.contact_senders enable row level security;
revoke all on private.contact_senders from public, anon, authenticated, service_role;
create index contact_senders_by_address on private.contact_senders (address_hash, stored_at);
create index contact_senders_by_age on private.contact_senders (stored_at);

-- The network of the sender, from the header of the gateway in front of the data API: an IPv4 address, or the /64 of an
-- IPv6 household. Null if the header does not identify the sender.
create function private.sender_network() returns cidr
language plpgsql stable set search_path = '' as $$
declare
  headers constant text := nullif(current_setting('request.headers', true), '');
  address inet;
begin
  begin
    -- `json` looks at nothing but the header that is asked for. Through `host` a mask that came along is gone.
    address := host(btrim(split_part(headers::json ->> 'x-forwarded-for', ',', 1))::inet);
  exception when others then
    -- A header is anyone's to write. What cannot be read is nobody's address, and no reason to lose a contact.
    return null;
  end;

  -- An IPv4 address in the clothes of IPv6 is how a socket for both reports it; as a /64 all of them would be one.
  if address <<= '::ffff:0:0/96' then
    address := inet '0.0.0.0' + (address - inet '::ffff:0:0');
  end if;

  -- This machine, a private network, a link, a carrier's inner network: what comes from there over the public internet
  -- came through a proxy that does not say for whom, and would make one sender of all visitors. Otherwise it is a
  -- developer, or a test.
  if address <<= any (array[
    '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16',
    '::/127', 'fc00::/7', 'fe80::/10'
  ]::inet[]) then
    return null;
  end if;

  return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
end
$$;

-- The hash of the sender's network, or null for a sender that is not counted. A caller with a secret key is not
-- counted, because that key acts for the owner, who may import any number of contacts.
create function private.sender_hash() returns bytea
language plpgsql stable set search_path = '' as $$
begin
  if (select auth.role()) = 'service_role' then
    return null;
  end if;
  return (select sha256(k.key || convert_to(private.sender_network()::text, 'UTF8')) from private.sender_key k);
end
$$;

-- Takes the sender's lock before the first row is inserted, and so before any row takes the lock of its email address.
-- Every statement takes the two locks in this order, which prevents deadlocks.
create function private.take_turns_by_sender() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1s' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('contacts by ' || private.sender_hash()::text, 0));
  return null;
exception when lock_not_available then
  -- Somebody at the same address is in the middle of something long. Better to count one too few than to refuse.
  return null;
end
$$;

create function private.file_excess_as_spam() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contacts_max constant integer := 30;
  hour_ago constant timestamptz := now() - interval '1 hour';
  sender constant bytea := private.sender_hash();
begin
  -- More leave than come, so what a rush left behind is soon gone. Who comes second takes other rows and never waits.
  delete from private.contact_senders where ctid = any (array(
    select s.ctid from private.contact_senders s
    where s.stored_at <= hour_ago order by s.stored_at limit 5 for update skip locked
  ));

  if sender is null then
    return new;
  end if;
  if contacts_max <= (
    select count(*) from (
      select from private.contact_senders s
      where s.address_hash = sender and s.stored_at > hour_ago limit contacts_max
    ) recent
  ) then
    new.spam_reason := coalesce(
      new.spam_reason,
      format('More than %s contacts within an hour came from the same internet address.', contacts_max)
    );
  end if;
  insert into private.contact_senders (address_hash, stored_at) values (sender, now());
  return new;
end
$$;
revoke all on all functions in schema private from public, anon, authenticated, service_role;

create trigger "0 take turns by sender" before insert on public.contacts
  for each statement execute function private.take_turns_by_sender();
-- This trigger runs after the trigger of the 30-second rule. A contact that this rule refuses or drops is not stored,
-- so it does not count.
create trigger "3 file the excess as spam" before insert on public.contacts
  for each row execute function private.file_excess_as_spam();

notify pgrst, 'reload schema';
