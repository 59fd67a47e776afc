-- Changes of contacts come one statement after the other. Each of them counts the revision at its end, in one row, so they
-- never ended side by side; but two that met the same contacts in different orders were a deadlock. Now each locks that row
-- before its first contact. Visitors' inserts do not touch it.
create function private.lock_contact_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The statement of a member changes nothing, and must not keep administrators waiting.
  if current_setting('role') <> 'authenticated' or private.may_read_contacts() then
    perform from private.contact_revision for no key update;
  end if;
  return null;
end
$$;
revoke all on function private.lock_contact_changes() from public, anon, authenticated, service_role;

create trigger "0 lock the changes" before update or delete on public.contacts
  for each statement execute function private.lock_contact_changes();
