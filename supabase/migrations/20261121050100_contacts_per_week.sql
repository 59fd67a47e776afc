-- The number of contacts in each of the last twelve weeks, for the chart above the list, without spam.
--
-- The view has the rights of the caller (security_invoker), so the policies of contacts apply: a caller who may read no
-- contacts sees a zero for every week. Weeks begin on Monday, in UTC, so that every admin sees the same numbers.
create view public.contacts_per_week with (security_invoker = true) as
select weeks.begin::date as week, count(c.id)::integer as contacts
from (select date_trunc('week', now() at time zone 'utc') as begin) this_week
cross join generate_series(this_week.begin - interval '11 weeks', this_week.begin, interval '1 week') as weeks (begin)
left join public.contacts c
  on c.spam_reason is null
 and c.submitted_at >= weeks.begin at time zone 'utc'
 and c.submitted_at < (weeks.begin + interval '1 week') at time zone 'utc'
group by weeks.begin;

revoke all on public.contacts_per_week from public, anon, authenticated, service_role;
grant select on public.contacts_per_week to authenticated, service_role;

notify pgrst, 'reload schema';
