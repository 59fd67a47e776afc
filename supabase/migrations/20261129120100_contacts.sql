-- Contacts sent through the contact form, and who may read them. Every visitor may send one; only admins may read,
-- change and delete them.
create table public.contacts (
  id               uuid primary key default gen_random_uuid(),
  name             text not null check (char_length(name) between 1 and 120),
  -- The form requires a company, but the list of contacts can also show a contact without one.
  company          text not null default '' check (char_length(company) <= 160),
  email            text not null check (char_length(email) <= 160 and email like '_%@_%'),
  interest         text not null check (interest in ('consulting', 'co-development', 'partnerships')),
  submitted_at     timestamptz not null default now(),
  -- The reason of the rules. It stays null where an administrator has marked a contact as spam.
  spam_reason      text,

  -- Where the visitor came from (docs/specification.md#sources-of-contacts), empty where it is not known. Callers cannot
  -- write these columns, so no constraint repeats what cleaning does (docs/decisions/contact-rules-in-two-triggers.md).
  referrer         text not null default '',
  campaign         text not null default '',
  first_page       text not null default '',

  -- What administrators do with contacts (docs/specification.md#working-through-contacts).
  state            text not null default 'new' check (state in ('new', 'handled', 'archived', 'spam', 'deleted')),
  state_changed_at timestamptz not null default now(),
  -- Who takes care of the contact, who opened it first, and who wrote the note. No foreign keys: what an administrator did
  -- stays when the role or the account ends, and an account can be deleted at once. A contact of somebody who is no
  -- longer an administrator counts as nobody's, and is that person's again when the role comes back.
  handled_by       uuid,
  handled_by_since timestamptz,
  read_by          uuid,
  read_at          timestamptz,
  note             text not null default '' check (char_length(note) <= 5000),
  note_by          uuid,
  note_at          timestamptz,
  -- Counts the changes of the note. An update that names the version it has read cannot overwrite a newer note.
  note_version     integer not null default 0,
  -- False for a contact that was spam or deleted before anyone was told of it, until an administrator takes it back.
  announced        boolean not null default true,

  -- What a search compares (docs/decisions/search-by-like.md): lower case, without accents, apostrophes and the characters
  -- that are removed from a contact. Letters that Unicode does not divide into a letter and an accent are replaced one by
  -- one. It is stored, because making it takes 30 microseconds and a search reads all contacts.
  search_text      text collate "C" not null generated always as (
    regexp_replace(
      normalize(
        replace(replace(replace(
          translate(lower((name || E'\n' || company || E'\n' || email) collate "und-x-icu"), 'łøđħıς', 'lodhiσ'),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
        nfkd
      ),
      '[\u0300-\u036f<>"'']', '', 'g'
    )
  ) stored,

  -- One constraint for all times, because a contact pays for the length of each. The times are near enough for a calendar,
  -- and each person has one. A restore of a file with others is refused with the constraint's name.
  constraint contacts_times_from_2000_to_2199 check (
    least(submitted_at, state_changed_at, handled_by_since, read_at, note_at) >= '2000-01-01Z'
    and greatest(submitted_at, state_changed_at, handled_by_since, read_at, note_at) <= '2199-12-31Z'
  ),
  constraint contacts_persons_with_their_times check (
    (handled_by is null) = (handled_by_since is null) and (read_by is null) = (read_at is null)
    and (note_by is null) = (note_at is null)
  )
);
alter table public.contacts enable row level security;

-- The order of the inbox, read backwards: a new entry at the end of an index costs less than one at its beginning. With
-- state and interest, PostgreSQL filters the list and counts the weeks of the chart without reading the table: the chart of
-- 100,000 contacts takes 2 ms in place of 5, and the newest contact that is not spam is found in 0.1 ms.
create index contacts_newest_first on public.contacts (submitted_at, id desc, state, interest);
-- The unread contacts, which an open inbox counts every ten seconds: 0.1 ms in place of 3 among 100,000. It costs a contact
-- 0.5 % of PostgreSQL's instructions.
create index contacts_new on public.contacts (submitted_at, id desc) where state = 'new';
-- The search for contacts from one email address within the waiting time.
create index contacts_by_email on public.contacts (email, submitted_at);
-- The bound on the spam of one day.
create index contacts_spam on public.contacts (submitted_at) where spam_reason is not null;
-- The list of an administrator who has 20 old contacts among 100,000 takes 2 ms, and 73 without this index. Contacts of
-- visitors add no entry to it, and their inserts took the same time.
create index contacts_by_handler on public.contacts (handled_by, submitted_at, id desc) where handled_by is not null;

-- Callers have rights per column, so that none of them can choose an id or a time. Older hosted projects grant a right
-- on the whole table by default, which would override the rights per column. So that right is revoked first.
revoke all on public.contacts from public, anon, authenticated, service_role;
grant insert (name, company, email, interest) on public.contacts to anon, authenticated;
grant select, update (name, company, email, interest, state, handled_by, read_by, note), delete
  on public.contacts to authenticated;
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
