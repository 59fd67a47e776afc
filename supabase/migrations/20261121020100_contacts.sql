-- Contacts sent through the contact form. Every visitor may send one; only admins may read them.
create table public.contacts (
  id           uuid primary key default gen_random_uuid(),
  name         text not null check (char_length(name) between 1 and 120),
  -- The form requires a company, but the list of contacts can also show a contact without one.
  company      text not null default '' check (char_length(company) <= 160),
  email        text not null check (char_length(email) <= 160 and email like '_%@_%'),
  interest     text not null check (interest in ('consulting', 'co-development', 'partnerships')),
  submitted_at timestamptz not null default now()
);
alter table public.contacts enable row level security;

-- The first index serves the order of the inbox. The second serves the search for contacts from one email address
-- within 30 seconds.
create index contacts_newest_first on public.contacts (submitted_at desc, id);
create index contacts_by_email on public.contacts (email, submitted_at);

-- Callers have rights per column, so that none of them can choose an id or a time. Older hosted projects grant a right
-- on the whole table by default, which would override the rights per column. So that right is revoked first.
revoke all on public.contacts from public, anon, authenticated, service_role;
grant insert (name, company, email, interest) on public.contacts to anon, authenticated;
grant select on public.contacts to authenticated;
grant all on public.contacts to service_role;

create policy "anyone sends a contact" on public.contacts
  for insert to anon, authenticated with check (true);
create policy "admins read contacts" on public.contacts
  for select to authenticated using ((select public.has_role((select auth.uid()), 'admin')));

notify pgrst, 'reload schema';
