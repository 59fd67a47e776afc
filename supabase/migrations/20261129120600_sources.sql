-- Where contacts and visits come from (docs/specification.md#sources-of-contacts). Nothing here identifies a person.

-- The number of visits of each day (in UTC) that came to a page from the same host and campaign.
create table private.visits (
  day        date not null,
  first_page text not null,
  referrer   text not null,
  campaign   text not null,
  visits     integer not null,
  primary key (day, first_page, referrer, campaign)
);
alter table private.visits enable row level security;
revoke all on private.visits from public, anon, authenticated, service_role;

-- Adds what a server has counted: an array of sources, each with a number of visits. Each day has 500 rows; what is
-- beyond counts as from "other" or from nowhere, so that invented sources cannot fill the table.
create function private.add_visits(_counted json) returns void
language sql set search_path = '' as $$
  with counted as (
    select (now() at time zone 'utc')::date as day, private.clean_page(told.page) as first_page,
      private.clean_referrer(told.referrer) as referrer, private.clean_campaign(told.campaign) as campaign,
      sum(told.visits)::integer as visits
    from json_to_recordset(_counted) as told (page text, referrer text, campaign text, visits integer)
    group by 2, 3, 4
  ), compared as (
    select c.*, v.day is not null as has_row
    from counted c left join private.visits v using (day, first_page, referrer, campaign)
  ), numbered as (
    select c.*, has_row or (c.referrer, c.campaign) = ('', '')
      or count(*) filter (where not has_row) over (order by c.visits desc rows unbounded preceding)
        + (select count(*) from private.visits v where v.day = (now() at time zone 'utc')::date) <= 500 as fits
    from compared c
  )
  insert into private.visits as v
  select day, first_page, case when fits then referrer else 'other' end, case when fits then campaign else 'other' end,
    sum(visits)
  from numbered group by 1, 2, 3, 4
  -- Two servers that add the same rows in different orders would be a deadlock.
  order by 1, 2, 3, 4
  on conflict (day, first_page, referrer, campaign) do update set visits = v.visits + excluded.visits
$$;

-- The visits and contacts from a day on, of the last 26 weeks at most, by 'referrer', 'campaign' or 'first_page', without
-- spam and deleted contacts; the 100 sources with most contacts. Contacts count by days of the reader's time zone, such as
-- 'Europe/Berlin'; one that PostgreSQL does not know counts as UTC. Where visits are counted, contacts from before the first
-- count are left out. `since` is the first day, so that the list from this day has the same contacts.
create function public.contact_sources(
  _by text default 'referrer', _since date default current_date - 84, _zone text default 'UTC'
)
returns table (source text, visits bigint, contacts bigint, since date)
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  source_column constant text := case when _by in ('campaign', 'first_page') then _by else 'referrer' end;
  first_day constant date := greatest(_since, current_date - 184, (select min(v.day) from private.visits v));
  first_time timestamptz;
begin
  perform private.require_contact_reader();
  begin
    first_time := first_day::timestamp at time zone _zone;
  exception when invalid_parameter_value then
    first_time := first_day::timestamp at time zone 'utc';
  end;
  return query execute format(
    'select source, sum(visits)::bigint, sum(contacts)::bigint, %2$L::date from (
       select v.%1$I as source, sum(v.visits) as visits, 0 as contacts
       from private.visits v where v.day >= %2$L group by 1
       union all
       select c.%1$I, 0, count(*)
       from public.contacts c where c.submitted_at >= %3$L and c.state not in (''spam'', ''deleted'')
       group by 1
     ) counted
     group by 1 order by 3 desc, 2 desc, 1 limit 100',
    source_column, first_day, first_time
  );
end
$$;

-- The functions of all files.
revoke all on all functions in schema private from public, anon, service_role;
revoke all on function public.contact_sources(text, date, text) from public, anon, authenticated, service_role;
grant execute on function public.contact_sources(text, date, text) to authenticated;

notify pgrst, 'reload schema';
