-- What could not be delivered for ten minutes or more: admins see it beside the contacts, with the reason in words, and
-- may have it tried again. With the rights of its owner, since nobody outside can name the queue; its rows are for admins.
create view public.delivery_failures with (security_barrier = true) as
select
  j.id,
  case j.task_identifier when 'call-webhook' then 'webhook' when 'account-mail' then 'account-mail' else 'mail' end as kind,
  coalesce(j.last_error, 'The server ended in the middle of it.') as reason,
  j.created_at as failing_since,
  case when j.attempts < j.max_attempts then j.run_at end as next_try_at,
  j.attempts::integer as attempts,
  j.attempts >= j.max_attempts and j.locked_at is null as gave_up
from graphile_worker.jobs j
where (select public.has_role((select auth.uid()), 'admin'))
  and j.created_at <= now() - interval '10 minutes'
  and (j.last_error is not null or j.attempts >= j.max_attempts and j.locked_at is null);

revoke all on public.delivery_failures from public, anon, authenticated, service_role;
grant select, update (next_try_at) on public.delivery_failures to authenticated;

-- Whatever time an update names, the job is tried at once, and as often as a new one. One that is being tried at this
-- moment is left alone. Nobody has the right to insert or delete; the trigger is for those too, because only where there
-- is one PostgreSQL asks for the right first.
create function private.retry_delivery() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'UPDATE' then
    return null;
  end if;
  perform from graphile_worker.reschedule_jobs(array[old.id], run_at => now(), attempts => 0);
  return case when found then new end;
end
$$;
revoke all on function private.retry_delivery() from public, anon, authenticated, service_role;

create trigger "try the delivery again" instead of insert or update or delete on public.delivery_failures
  for each row execute function private.retry_delivery();

-- Tries again all that the caller may see, and says how many they were.
create function public.retry_deliveries() returns integer
language sql volatile set search_path = '' as $$
  with retried as (update public.delivery_failures set next_try_at = now() returning id)
  select count(*)::integer from retried
$$;
revoke all on function public.retry_deliveries() from public, anon, authenticated, service_role;
grant execute on function public.retry_deliveries() to authenticated;
