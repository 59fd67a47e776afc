-- Adds a job for each new contact, which announces the contact to the owner of the site. The job is added in the
-- transaction of the contact, so that neither is stored without the other. A contact filed as spam is not announced.
create function private.announce_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Behind the mails that wait (a lower number comes first): the first contact is told of before the next is announced.
  perform graphile_worker.add_job('announce-contact', json_build_object('contact_id', new.id), priority => 10);
  return null;
end
$$;
revoke all on function private.announce_contact() from public, anon, authenticated, service_role;

create trigger "4 announce the contact" after insert on public.contacts
  for each row when (new.spam_reason is null) execute function private.announce_contact();
