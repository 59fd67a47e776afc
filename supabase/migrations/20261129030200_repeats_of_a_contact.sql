-- A repeated contact is not lost where the stored one is spam, which is not announced, and counts for its sender
-- (docs/specification.md#identical-contact).

-- Refuses, swallows or marks as spam what is too much (docs/specification.md#waiting-between-contacts). The numbers stand
-- where they are compared, because plpgsql computes a declared constant anew for each contact. Every connection plans
-- each query once, because otherwise PostgreSQL plans some of them for each contact; and never as a scan of a whole
-- table, because a plan from a time with few contacts stays when there are many. Up to PostgreSQL 17, a plan that must
-- scan a table, as the one that reads the key, then looks so expensive that PostgreSQL would compile it (JIT) for each
-- contact: 45 ms instead of 0.7 ms.
create or replace function private.limit_contacts() returns trigger
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
  is_announced boolean;
  is_spam boolean;
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
  select bool_or(is_same and announced), bool_or(is_same and not announced), array_agg(id) filter (where not is_same)
  into is_announced, is_spam, different
  from (
    select c.id, c.announced, (c.name, c.company, c.interest) = (new.name, new.company, new.interest) as is_same
    from public.contacts c
    where c.email = new.email
      and c.submitted_at > new.submitted_at - interval '30 seconds'
      and c.submitted_at < new.submitted_at + interval '30 seconds'
  ) recent;
  if not is_visitor then
    if is_announced then
      return null;
    end if;
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
  if different is not null and is_announced is not true and exists (
    select from private.contact_senders s
    where s.address_hash = sender.address_hash
      and s.stored_at > new.submitted_at - interval '30 seconds'
      and s.contact_id = any (different)
  ) then
    raise exception using
      errcode = 'PT429', message = 'You''re sending too fast. Please wait a few seconds and try again.';
  end if;

  -- The contacts of the last hour, with this one. More than 30 of one network, or 60 of one wide network, are spam.
  if sender_network is not null then
    select count(*) into from_network from (
      select from private.contact_senders s
      where s.address_hash = sender.address_hash and s.stored_at > hour_ago limit 301
    ) recent;
  end if;
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
  elsif is_announced then
    -- An identical contact is announced once, whoever sends it: a retry may come from another network.
    return null;
  else
    -- Also where an identical one is spam, because its sender was in excess: it may be a stranger in this person's name.
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
  if is_announced or is_spam then
    return null;
  end if;
  new.spam_reason := coalesce(new.spam_reason, excess);
  return new;
end
$$;
