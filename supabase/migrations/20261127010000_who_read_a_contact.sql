-- Who opened a contact first and who wrote its note, with the times (docs/specification.md#open-contact).

-- No foreign keys: as with handled_by, what an administrator did stays when the role or the account ends.
alter table public.contacts
  add column read_by uuid,
  add column read_at timestamptz,
  add column note_by uuid,
  add column note_at timestamptz,
  add constraint contacts_read_by_with_its_time check (
    (read_by is null) = (read_at is null) and read_at between '2000-01-01Z' and '2199-12-31Z'
  ),
  add constraint contacts_note_by_with_its_time check (
    (note_by is null) = (note_at is null) and note_at between '2000-01-01Z' and '2199-12-31Z'
  );

grant update (read_by) on public.contacts to authenticated;

-- Whatever a client sends, the person is the caller, the time is now, and only the first reading counts.
create function private.record_people() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  -- The operator's commands have no caller: an erasure removes ids, and names in notes of others.
  if caller is null then
    new.read_at := case when new.read_by is not null then new.read_at end;
    new.note_at := case when new.note_by is not null then new.note_at end;
    return new;
  end if;
  if new.read_by is distinct from old.read_by then
    new.read_by := coalesce(old.read_by, caller);
    new.read_at := coalesce(old.read_at, now());
  end if;
  if new.note is distinct from old.note then
    new.note_by := case when new.note <> '' then caller end;
    new.note_at := case when new.note <> '' then now() end;
  end if;
  return new;
end
$$;
create trigger "3 record the people" before update on public.contacts
  for each row execute function private.record_people();

revoke all on function private.record_people() from public, anon, authenticated, service_role;

notify pgrst, 'reload schema';
