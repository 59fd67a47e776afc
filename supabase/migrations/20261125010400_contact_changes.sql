-- What follows when administrators change and delete contacts.

create function private.record_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state is distinct from old.state then
    new.state_changed_at := now();
    -- A trigger of our own server announces the contact at this change.
    new.announced := old.announced or new.state <> 'spam';
  end if;
  if new.note is distinct from old.note then
    new.note_version := old.note_version + 1;
  end if;
  return new;
end
$$;
create trigger "3 record the change" before update on public.contacts
  for each row execute function private.record_change();

-- Counts the changes and deletions of contacts, for open inboxes. A sequence would show a change before its transaction
-- has ended. The insert of a contact does not touch this row, so visitors never wait for it.
create table private.contact_revision (revision bigint not null);
alter table private.contact_revision enable row level security;
revoke all on private.contact_revision from public, anon, authenticated, service_role;
insert into private.contact_revision values (0);

-- Changes of contacts come one statement after the other: each locks the row of the revision before its first contact,
-- because two that met the same contacts in different orders would be a deadlock.
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
create trigger "0 lock the changes" before update or delete on public.contacts
  for each statement execute function private.lock_contact_changes();

create function private.count_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The statement of a caller who may change nothing also gets here, but with no row.
  if exists (select from changed) then
    update private.contact_revision set revision = revision + 1;
  end if;
  return null;
end
$$;
create trigger "5 count the revision of updates" after update on public.contacts
  referencing old table as changed for each statement execute function private.count_revision();
create trigger "5 count the revision of deletions" after delete on public.contacts
  referencing old table as changed for each statement execute function private.count_revision();

revoke all on function private.record_change(), private.lock_contact_changes(), private.count_revision()
  from public, anon, authenticated, service_role;
