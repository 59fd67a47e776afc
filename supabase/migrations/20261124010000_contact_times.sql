-- The times of a contact are finite and near enough for a calendar, and its note can always get another version. A restore
-- of a file that breaks this is refused with the name of the constraint.

-- A row from before this rule gets the time of this migration, so that it stays in sight and does not count as expired. The
-- triggers are off, because no administrator makes this change, and an old row may break another rule.
alter table public.contacts disable trigger user;
update public.contacts set submitted_at = now() where submitted_at not between '2000-01-01Z' and '2199-12-31Z';
update public.contacts set state_changed_at = now() where state_changed_at not between '2000-01-01Z' and '2199-12-31Z';
update public.contacts set note_version = 0 where note_version not between 0 and 1000000000;
alter table public.contacts enable trigger user;

alter table public.contacts
  add constraint contacts_submitted_from_2000_to_2199 check (submitted_at between '2000-01-01Z' and '2199-12-31Z'),
  add constraint contacts_changed_from_2000_to_2199 check (state_changed_at between '2000-01-01Z' and '2199-12-31Z'),
  add constraint contacts_note_version_from_0_to_1000000000 check (note_version between 0 and 1000000000);
