-- Counts the contacts of each week by the index of their times. The first definition of the view compared every contact
-- with all twelve weeks.
create or replace view public.contacts_per_week with (security_invoker = true) as
select weeks.begin::date as week, counted.contacts
from (select date_trunc('week', now() at time zone 'utc') as begin) this_week
cross join generate_series(this_week.begin - interval '11 weeks', this_week.begin, interval '1 week') as weeks (begin)
cross join lateral (
  select count(*)::integer as contacts
  from public.contacts c
  where c.spam_reason is null
    and c.submitted_at >= weeks.begin at time zone 'utc'
    and c.submitted_at < (weeks.begin + interval '1 week') at time zone 'utc'
) counted;

notify pgrst, 'reload schema';
