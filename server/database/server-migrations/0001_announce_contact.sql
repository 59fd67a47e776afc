-- Tells somebody of each contact. The job belongs to the contact's own transaction: neither is ever there without the
-- other. A contact that was filed as spam is nobody's business.
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
