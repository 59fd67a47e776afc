-- What follows when administrators change and delete contacts, and how long contacts stay.

-- What a client cannot say: times and persons (docs/specification.md#who-handles-a-contact,
-- docs/specification.md#open-contact). The operator's commands have no caller.
create function private.record_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  given constant boolean := new.handled_by is distinct from old.handled_by;
begin
  if new.state is distinct from old.state then
    new.state_changed_at := now();
    -- A trigger of our own server announces the contact at this change.
    new.announced := old.announced or new.state not in ('spam', 'deleted');
    -- An administrator who marks a new contact as handled takes it, unless somebody has it. Taking back the mark takes
    -- back what came with it.
    if not given and old.handled_by is null and old.state = 'new' and new.state = 'handled' then
      new.handled_by := (select r.user_id from public.user_roles r where r.user_id = caller and r.role = 'admin');
    elsif not given and old.state = 'handled' and new.state = 'new' and old.handled_by_since = old.state_changed_at then
      new.handled_by := null;
    end if;
  end if;

  if new.handled_by is distinct from old.handled_by then
    -- The same sentence for an account without the role and for none, so that it tells nothing about accounts.
    if given and new.handled_by is not null and not exists (
      select from public.user_roles r where r.user_id = new.handled_by and r.role = 'admin'
    ) then
      raise exception using errcode = '23514', message = 'Only an administrator can take care of a contact.';
    end if;
    new.handled_by_since := case when new.handled_by is not null then now() end;
  end if;

  -- Whatever a client sends, the person is the caller, and only the first reading counts. An erasure by an operator
  -- removes ids, and names in notes of others.
  if caller is not null and new.read_by is distinct from old.read_by then
    new.read_by := coalesce(old.read_by, caller);
    new.read_at := coalesce(old.read_at, now());
  end if;
  if new.note is distinct from old.note then
    new.note_version := old.note_version + 1;
    if caller is not null then
      new.note_by := case when new.note <> '' then caller end;
      new.note_at := now();
    end if;
  end if;
  new.read_at := case when new.read_by is not null then new.read_at end;
  new.note_at := case when new.note_by is not null then new.note_at end;
  return new;
end
$$;
create trigger "3 record the change" before update on public.contacts
  for each row execute function private.record_change();

-- Counts the changes and removals of contacts, for open inboxes. A sequence would show a change before its transaction
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
declare
  is_news boolean;
begin
  -- The statement of a caller who may change nothing also gets here, but with no row. A first reading is no news:
  -- every open inbox would read its list again, which does not show it.
  if tg_op = 'UPDATE' then
    is_news := exists (
      select from changed c join stored s using (id)
      where to_jsonb(c) - array['read_by', 'read_at'] <> to_jsonb(s) - array['read_by', 'read_at']
    );
  else
    is_news := exists (select from changed);
  end if;
  if is_news then
    update private.contact_revision set revision = revision + 1;
  end if;
  return null;
end
$$;
create trigger "5 count the revision of updates" after update on public.contacts
  referencing old table as changed new table as stored for each statement execute function private.count_revision();
create trigger "5 count the revision of deletions" after delete on public.contacts
  referencing old table as changed for each statement execute function private.count_revision();

-- Removes at most 5,000 contacts, as much spam and as many deleted contacts, the oldest first, and returns their number
-- (docs/operating.md#retention-of-contacts). Our own server calls it each day, a hosted project by pg_cron. The caller
-- repeats it until it returns 0, each time in a transaction of its own, so that none holds many locks or leaves many dead
-- rows at once. A number of zero or less keeps contacts, or spam, for good. The age of spam counts from its arrival or from
-- the change to this state, whichever was later, so that an old contact can still be found for a while after it was marked
-- as spam. Deleted contacts stay for 30 days, and where spam goes sooner, as long as spam: some of them are. Contacts that
-- another transaction has locked are left for the next call.
create function private.remove_expired_contacts(contact_months integer default 24, spam_days integer default 30)
returns bigint
language sql volatile set search_path = '' as $$
  with removed as (
    delete from public.contacts where id = any (
      array(
        select c.id from public.contacts c
        where c.state <> 'spam'
          and c.submitted_at < now() - make_interval(months => nullif(greatest(contact_months, 0), 0))
        order by c.submitted_at limit 5000 for update skip locked
      ) || array(
        select c.id from public.contacts c
        where c.state = 'spam'
          and c.submitted_at < now() - make_interval(days => nullif(greatest(spam_days, 0), 0))
          and c.state_changed_at < now() - make_interval(days => nullif(greatest(spam_days, 0), 0))
        order by c.submitted_at limit 5000 for update skip locked
      ) || array(
        select c.id from public.contacts c
        where c.state = 'deleted'
          and c.submitted_at < now() - make_interval(days => least(30, nullif(greatest(spam_days, 0), 0)))
          and c.state_changed_at < now() - make_interval(days => least(30, nullif(greatest(spam_days, 0), 0)))
        order by c.submitted_at limit 5000 for update skip locked
      )
    )
    returning id
  )
  select count(*) from removed
$$;
