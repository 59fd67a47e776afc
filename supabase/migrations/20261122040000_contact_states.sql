-- What administrators do with contacts: a state, one private note, corrections and deletion
-- (docs/specification.md#working-through-contacts). Visitors can set none of the new columns.

-- Whether the caller may read and change contacts. Each policy, view and function about contacts asks this function, so
-- a further condition has one place. Callers need the right to call it, because policies run with the caller's rights.
create function private.may_read_contacts() returns boolean
language sql stable security definer set search_path = '' as $$
  select public.has_role((select auth.uid()), 'admin')
$$;

alter table public.contacts
  add column state            text        not null default 'new' check (state in ('new', 'handled', 'archived', 'spam')),
  add column state_changed_at timestamptz not null default now(),
  add column note             text        not null default '' check (char_length(note) <= 5000),
  -- Counts the changes of the note. An update that names the version it has read cannot overwrite a newer note.
  add column note_version     integer     not null default 0,
  -- False for a contact that the rules have filed as spam, until an administrator says that it is not spam.
  add column announced        boolean     not null default true;

update public.contacts set state = 'spam', announced = false where spam_reason is not null;

create index contacts_by_state on public.contacts (state, submitted_at desc, id);
-- The view "Inbox" has two states, so the index by state does not have its order. Without this index, its last page reads
-- all archived contacts that are older.
create index contacts_inbox on public.contacts (submitted_at desc, id) where state in ('new', 'handled');

-- `spam_reason` is the reason of the rules, so it stays null where an administrator has marked a contact as spam.
create function private.file_spam() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.state := 'spam';
  new.announced := false;
  return new;
end
$$;

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
revoke all on all functions in schema private from public, anon, authenticated, service_role;
grant execute on function private.may_read_contacts() to authenticated;

-- Triggers run in the order of their names: this one sees the reason that the limits have set.
create trigger "3 file spam" before insert on public.contacts
  for each row when (new.spam_reason is not null) execute function private.file_spam();
create trigger "3 record the change" before update on public.contacts
  for each row execute function private.record_change();

drop policy "admins read contacts" on public.contacts;
create policy "admins read contacts" on public.contacts
  for select to authenticated using ((select private.may_read_contacts()));
create policy "admins change contacts" on public.contacts
  for update to authenticated
  using ((select private.may_read_contacts())) with check ((select private.may_read_contacts()));
create policy "admins delete contacts" on public.contacts
  for delete to authenticated using ((select private.may_read_contacts()));

grant update (name, company, email, interest, state, note), delete on public.contacts to authenticated;

notify pgrst, 'reload schema';
