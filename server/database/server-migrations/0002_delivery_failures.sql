-- Jobs that have failed for ten minutes or more. Admins see them beside the contacts, with the reason, and may retry
-- them. The view has its owner's rights, because callers have none in the queue's schema; its rows are for admins only.
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

-- An update of this view retries the job at once, with as many attempts as a new job has. It does not change a running
-- job. No role may insert or delete rows. Still the trigger also covers inserts and deletions, because without a
-- trigger for them PostgreSQL would fail with another error before it checks the caller's right.
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

-- Retries all jobs that the caller may see, and returns their number.
create function public.retry_deliveries() returns integer
language sql volatile set search_path = '' as $$
  with retried as (update public.delivery_failures set next_try_at = now() returning id)
  select count(*)::integer from retried
$$;
revoke all on function public.retry_deliveries() from public, anon, authenticated, service_role;
grant execute on function public.retry_deliveries() to authenticated;
