-- What the inbox reads beside the contacts (docs/specification.md#inbox). These functions and the view have their owner's
-- rights, because row-level security would keep PostgreSQL from counting by an index, and ask first whether the caller may
-- read contacts.
create function private.require_contact_reader() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_read_contacts() then
    raise exception using errcode = '42501', message = 'You do not have permission to view contacts.';
  end if;
end
$$;

-- What an open inbox asks for every few seconds.
create function public.inbox_news() returns table (unread bigint, newest_at timestamptz, revision bigint)
language plpgsql stable security definer set search_path = '' set jit = off as $$
begin
  perform private.require_contact_reader();
  return query select
    (select count(*) from public.contacts c where c.state = 'new'),
    (select max(c.submitted_at) from public.contacts c where c.state not in ('spam', 'deleted')),
    r.revision
  from private.contact_revision r;
end
$$;

-- The administrators, to whom contacts can be given. Only administrators see their addresses.
create function public.administrators() returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_contact_reader();
  return query
    -- Accounts of a hosted project may have no address.
    select r.user_id, coalesce(u.email, r.user_id::text)::text
    from public.user_roles r join auth.users u on u.id = r.user_id
    where r.role = 'admin' order by 2;
end
$$;

-- The number of contacts in each of the last 26 weeks and of each interest, for the chart above the list, without spam
-- and deleted contacts.
-- Weeks begin on Monday, in UTC, so that every admin sees the same numbers.
create view public.contacts_per_week with (security_barrier = true) as
select weeks.week, interests.interest, counted.contacts
from (
  select date_trunc('week', now() at time zone 'utc')::date - 7 * n as week
  from generate_series(25, 0, -1) n
  where (select private.may_read_contacts())
) weeks
cross join unnest(array['consulting', 'co-development', 'partnerships']) as interests (interest)
cross join lateral (
  select count(*)::integer as contacts
  from public.contacts c
  where c.interest = interests.interest
    and c.state not in ('spam', 'deleted')
    and c.submitted_at >= weeks.week::timestamp at time zone 'utc'
    and c.submitted_at < (weeks.week + 7)::timestamp at time zone 'utc'
) counted;
revoke all on public.contacts_per_week from public, anon, authenticated, service_role;
grant select on public.contacts_per_week to authenticated;

revoke all on function public.inbox_news(), public.administrators() from public, anon, authenticated, service_role;
grant execute on function public.inbox_news(), public.administrators() to authenticated;
