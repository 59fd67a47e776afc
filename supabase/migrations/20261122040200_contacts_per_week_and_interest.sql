-- The number of contacts in each of the last 26 weeks and of each interest, for the chart above the list, without spam.
-- Weeks begin on Monday, in UTC, so that every admin sees the same numbers.
--
-- The view has the rights of its owner, because with those of the caller, row-level security would keep PostgreSQL from
-- counting by an index: 3.9 s among a million contacts. Its rows are for callers who may read contacts.
drop view public.contacts_per_week;
create view public.contacts_per_week with (security_barrier = true) as
select weeks.begin::date as week, interests.interest, counted.contacts
from (select date_trunc('week', now() at time zone 'utc') as begin) this_week
cross join generate_series(this_week.begin - interval '25 weeks', this_week.begin, interval '1 week') as weeks (begin)
cross join unnest(array['consulting', 'co-development', 'partnerships']) as interests (interest)
cross join lateral (
  select count(*)::integer as contacts
  from public.contacts c
  where c.state <> 'spam'
    and c.interest = interests.interest
    and c.submitted_at >= weeks.begin at time zone 'utc'
    and c.submitted_at < (weeks.begin + interval '1 week') at time zone 'utc'
) counted
where (select private.may_read_contacts());

revoke all on public.contacts_per_week from public, anon, authenticated, service_role;
grant select on public.contacts_per_week to authenticated;

notify pgrst, 'reload schema';
