-- How long contacts stay (docs/operating.md#retention-of-contacts). Our own server calls the function each day; a hosted
-- project schedules it with pg_cron.

-- Deletes at most 5,000 contacts and as much spam, the oldest first, and returns their number. The caller repeats it until it
-- returns 0, each time in a transaction of its own, so that none holds many locks or leaves many dead rows at once. A
-- number of zero or less keeps contacts, or spam, for good. The age of spam counts from its arrival or from the change to
-- this state, whichever was later, so that an old contact can still be found for a while after it was marked as spam.
-- Contacts that another transaction has locked are left for the next call.
create function private.remove_expired_contacts(contact_months integer default 24, spam_days integer default 30)
returns bigint
language sql volatile set search_path = '' as $$
  with removed_contacts as (
    delete from public.contacts where id = any (array(
      select c.id from public.contacts c
      where c.state = any (array['new', 'handled', 'archived'])
        and c.submitted_at < now() - make_interval(months => nullif(greatest(contact_months, 0), 0))
      order by c.submitted_at limit 5000 for update skip locked
    ))
    returning id
  ), removed_spam as (
    delete from public.contacts where id = any (array(
      select c.id from public.contacts c
      where c.state = 'spam'
        and c.submitted_at < now() - make_interval(days => nullif(greatest(spam_days, 0), 0))
        and c.state_changed_at < now() - make_interval(days => nullif(greatest(spam_days, 0), 0))
      order by c.submitted_at limit 5000 for update skip locked
    ))
    returning id
  )
  select (select count(*) from removed_contacts) + (select count(*) from removed_spam)
$$;
revoke all on function private.remove_expired_contacts(integer, integer)
  from public, anon, authenticated, service_role;
