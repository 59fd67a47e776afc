-- Counts the contacts of days that are over, so that the chart of 26 weeks does not count a million contacts each time
-- (docs/decisions/search-in-one-function.md#the-chart). Days that are not closed yet are counted when the chart is read.
-- Where no day is ever closed, the chart is right all the same, and only takes longer.

-- The contacts of closed days that are not spam. A missing row counts as zero.
create table private.contact_days (
  day      date    not null,
  interest text    not null,
  contacts integer not null,
  primary key (day, interest)
);
-- The first day that is not closed, in UTC. A change of a closed day locks this row, so that changes of the same days
-- wait in turn. The contact of a visitor never touches it.
create table private.contact_days_border (open_from date not null);
alter table private.contact_days enable row level security;
alter table private.contact_days_border enable row level security;
revoke all on private.contact_days, private.contact_days_border from public, anon, authenticated, service_role;
insert into private.contact_days_border values ('-infinity');

create function private.count_changed_days() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Younger days are open, see private.close_contact_days.
  may_be_closed_before constant date := (clock_timestamp() - interval '1 hour') at time zone 'utc';
  changes private.contact_days[];
begin
  if tg_op <> 'INSERT' then
    changes := array(
      select ((c.submitted_at at time zone 'utc')::date, c.interest, -count(*))::private.contact_days
      from removed c where c.state <> 'spam' group by (c.submitted_at at time zone 'utc')::date, c.interest
    );
  end if;
  if tg_op <> 'DELETE' then
    changes := changes || array(
      select ((c.submitted_at at time zone 'utc')::date, c.interest, count(*))::private.contact_days
      from added c where c.state <> 'spam' group by (c.submitted_at at time zone 'utc')::date, c.interest
    );
  end if;
  changes := array(
    select (c.day, c.interest, sum(c.contacts))::private.contact_days
    from unnest(changes) c where c.day < may_be_closed_before group by c.day, c.interest having sum(c.contacts) <> 0
  );
  if changes <> '{}' then
    perform from private.contact_days_border for no key update;
    insert into private.contact_days as d
    select c.* from unnest(changes) c, private.contact_days_border b where c.day < b.open_from
    on conflict (day, interest) do update set contacts = d.contacts + excluded.contacts;
  end if;
  return null;
end
$$;

-- The contact of a visitor has the time of its transaction, whose day is never closed.
create trigger "6 count the days of imports" after insert on public.contacts
  referencing new table as added for each statement
  when (current_setting('role') not in ('anon', 'authenticated')) execute function private.count_changed_days();
create trigger "6 count the days of updates" after update on public.contacts
  referencing old table as removed new table as added for each statement execute function private.count_changed_days();
create trigger "6 count the days of deletions" after delete on public.contacts
  referencing old table as removed for each statement execute function private.count_changed_days();

create function private.forget_contact_days() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.contact_days;
  update private.contact_revision set revision = revision + 1;
  return null;
end
$$;
create trigger "6 forget the days" after truncate on public.contacts
  for each statement execute function private.forget_contact_days();

-- Closes the days that have been over for an hour, and returns how many days are counted; null if contacts are being
-- written, then the next call closes them. Our own server calls it each day, a hosted project with pg_cron. Each call
-- also counts every 28th closed day again, which mends what was written without triggers. `recount` counts all of them.
create function private.close_contact_days(recount boolean default false) returns integer
language plpgsql set search_path = '' set lock_timeout = '100ms' as $$
declare
  close_before constant date := (now() - interval '1 hour') at time zone 'utc';
  -- The chart shows no older day.
  oldest constant date := close_before - 27 * 7;
  days constant date[] := array(
    select oldest + n
    from generate_series(0, 27 * 7 - 1) n, private.contact_days_border b
    where oldest + n >= b.open_from or recount or n % 28 = extract(doy from close_before)::integer % 28
  );
begin
  -- Without writes to the table, no contact of these days is missed and none is counted twice. Visitors wait for
  -- milliseconds.
  lock table public.contacts in share mode;
  update private.contact_days_border set open_from = greatest(open_from, close_before);
  delete from private.contact_days d where d.day < oldest or d.day = any (days);
  insert into private.contact_days
  select counted_day.day, counted.interest, counted.contacts
  from unnest(days) counted_day (day)
  cross join lateral (
    select c.interest, count(*) as contacts
    from public.contacts c
    where c.state <> 'spam'
      and c.submitted_at >= counted_day.day::timestamp at time zone 'utc'
      and c.submitted_at < (counted_day.day + 1)::timestamp at time zone 'utc'
    group by c.interest
  ) counted;
  return cardinality(days);
exception when lock_not_available then
  return null;
end
$$;

-- The number of contacts in each of the last 26 weeks and of each interest, for the chart above the list, without spam.
-- Weeks begin on Monday, in UTC, so that every admin sees the same numbers.
--
-- The view has the rights of its owner, because with those of the caller, row-level security would keep PostgreSQL from
-- counting by an index: 3.9 s among a million contacts. Its rows are for callers who may read contacts. Both bounds of the
-- days that are counted now are given, because without the second PostgreSQL expects a third of all contacts there, and
-- reads the whole table.

create view public.contacts_per_week with (security_barrier = true) as
with chart as (
  select this_week.monday, this_week.monday - 25 * 7 as first_day,
    greatest((select b.open_from from private.contact_days_border b), this_week.monday - 25 * 7)::timestamp
      at time zone 'utc' as open_from,
    (this_week.monday + 7)::timestamp at time zone 'utc' as ends_before
  from (select date_trunc('week', now() at time zone 'utc')::date as monday) this_week
), counted as (
  select d.day, d.interest, d.contacts
  from chart, private.contact_days d
  where d.day >= chart.first_day
  union all
  select (c.submitted_at at time zone 'utc')::date, c.interest, 1
  from chart, public.contacts c
  where c.state <> 'spam' and c.submitted_at >= chart.open_from and c.submitted_at < chart.ends_before
), weeks as (
  select date_trunc('week', counted.day::timestamp)::date as week, counted.interest, sum(counted.contacts) as contacts
  from counted group by 1, 2
)
select monday.week, interests.interest, coalesce(weeks.contacts, 0)::integer as contacts
from chart
cross join lateral (select chart.monday - 7 * n as week from generate_series(25, 0, -1) n) monday
cross join unnest(array['consulting', 'co-development', 'partnerships']) as interests (interest)
left join weeks on weeks.week = monday.week and weeks.interest = interests.interest
where (select private.may_read_contacts());
revoke all on public.contacts_per_week from public, anon, authenticated, service_role;
grant select on public.contacts_per_week to authenticated;

revoke all on function
  private.count_changed_days(), private.forget_contact_days(), private.close_contact_days(boolean)
  from public, anon, authenticated, service_role;

select private.close_contact_days();

notify pgrst, 'reload schema';
