-- Contacts sent through the contact form, and who may read them. Every visitor may send one; only admins may read,
-- change and delete them.
create table public.contacts (
  id               uuid primary key default gen_random_uuid(),
  name             text not null check (char_length(name) between 1 and 120),
  -- The form requires a company, but the list of contacts can also show a contact without one.
  company          text not null default '' check (char_length(company) <= 160),
  email            text not null check (char_length(email) <= 160 and email like '_%@_%'),
  interest         text not null check (interest in ('consulting', 'co-development', 'partnerships')),
  -- The times are near enough for a calendar. A restore of a file with others is refused with the constraint's name.
  submitted_at     timestamptz not null default now()
    constraint contacts_submitted_from_2000_to_2199 check (submitted_at between '2000-01-01Z' and '2199-12-31Z'),
  -- The reason of the rules. It stays null where an administrator has marked a contact as spam.
  spam_reason      text check (spam_reason <> ''),

  -- What administrators do with contacts (docs/specification.md#working-through-contacts).
  state            text not null default 'new' check (state in ('new', 'handled', 'archived', 'spam')),
  state_changed_at timestamptz not null default now()
    constraint contacts_changed_from_2000_to_2199 check (state_changed_at between '2000-01-01Z' and '2199-12-31Z'),
  note             text not null default '' check (char_length(note) <= 5000),
  -- Counts the changes of the note. An update that names the version it has read cannot overwrite a newer note.
  note_version     integer not null default 0
    constraint contacts_note_version_from_0_to_1000000000 check (note_version between 0 and 1000000000),
  -- False for a contact that the rules have filed as spam, until an administrator says that it is not spam.
  announced        boolean not null default true
);
alter table public.contacts enable row level security;

-- The order of the inbox, read backwards: a new entry at the end of an index costs less than one at its beginning. With
-- state and interest, PostgreSQL filters the list and counts the weeks of the chart without reading the table.
create index contacts_newest_first on public.contacts (submitted_at, id desc, state, interest);
-- The unread contacts, which an open inbox counts every few seconds. They are few among many.
create index contacts_new on public.contacts (submitted_at, id desc) where state = 'new';
-- The search for contacts from one email address within 30 seconds.
create index contacts_by_email on public.contacts (email, submitted_at);
-- The bound on the spam of one day.
create index contacts_spam on public.contacts (submitted_at) where spam_reason is not null;

-- Callers have rights per column, so that none of them can choose an id or a time. Older hosted projects grant a right
-- on the whole table by default, which would override the rights per column. So that right is revoked first.
revoke all on public.contacts from public, anon, authenticated, service_role;
grant insert (name, company, email, interest) on public.contacts to anon, authenticated;
grant select, update (name, company, email, interest, state, note), delete on public.contacts to authenticated;
grant all on public.contacts to service_role;

create policy "anyone sends a contact" on public.contacts
  for insert to anon, authenticated with check (true);
create policy "admins read contacts" on public.contacts
  for select to authenticated using ((select private.may_read_contacts()));
create policy "admins change contacts" on public.contacts
  for update to authenticated
  using ((select private.may_read_contacts())) with check ((select private.may_read_contacts()));
create policy "admins delete contacts" on public.contacts
  for delete to authenticated using ((select private.may_read_contacts()));

-- Whether a signed-in caller can read any contact, as a condition for the caller's own statement. PostgreSQL evaluates a
-- policy for each row that it reads, also a policy without a column, so an account that may read none made it read a
-- million contacts. The same condition in the statement is evaluated once, before any row is read
-- (backend/data-api/write-sql.ts).
create function public.is_contact_reader() returns boolean
language sql stable security definer set search_path = '' as $$
  -- A further policy may show contacts to others: then only PostgreSQL can tell.
  select private.may_read_contacts() or exists (
    select from pg_catalog.pg_policy p
    where p.polrelid = 'public.contacts'::regclass and p.polpermissive and p.polcmd in ('r', '*')
      and p.polname <> 'admins read contacts'
  )
$$;
revoke all on function public.is_contact_reader() from public, anon, authenticated, service_role;
grant execute on function public.is_contact_reader() to authenticated;

notify pgrst, 'reload schema';
