-- Refuses a second, different contact from the same email address within 30 seconds. If the same contact is sent again
-- (a double click, a retry after a lost answer, a resubmission after "back"), the request succeeds, but the contact is
-- stored only once.
create function private.wait_between_contacts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wait constant interval := '30 seconds';
  recent public.contacts;
begin
  -- Contacts from one address come one after the other, so that two at the same moment see each other.
  perform pg_advisory_xact_lock(hashtextextended('contact from ' || new.email, 0));

  -- Both ways: the one that waited for the lock may have begun before the one that is stored. Comparing with the new
  -- row's own time lets an import bring contacts of the past.
  for recent in
    select * from public.contacts c
    where c.email = new.email
      and c.submitted_at > new.submitted_at - wait
      and c.submitted_at < new.submitted_at + wait
  loop
    if (recent.name, recent.company, recent.interest) = (new.name, new.company, new.interest) then
      return null;
    end if;
  end loop;

  if found then
    raise exception using
      errcode = 'PT429', message = 'You''re sending too fast. Please wait a few seconds and try again.';
  end if;
  return new;
end
$$;
revoke all on function private.wait_between_contacts() from public, anon, authenticated, service_role;

create trigger "2 wait between contacts" before insert on public.contacts
  for each row execute function private.wait_between_contacts();
