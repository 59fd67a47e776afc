-- The queue: an outbox in the same database (docs/decisions/an-outbox-of-our-own.md), the announcement of contacts by it,
-- and what admins see of failed deliveries. A job is added in the transaction of its cause. A server that runs a job
-- holds a lease on it, and extends the lease until it has stored the result. If the server dies, the lease expires, and
-- another server takes the job over.
create table private.jobs (
  id           bigint generated always as identity primary key,
  task         text not null,
  -- Every backup holds the payload, so it holds no secret.
  payload      jsonb not null,
  -- Each server runs a fixed number of jobs of each lane at once, so a lane that hangs does not delay the others.
  lane         text not null default 'mail',
  -- A lower number runs first.
  priority     smallint not null default 0,
  -- How often the job was begun. It is repeated until it was begun `attempts_max` times.
  attempts     smallint not null default 0,
  attempts_max smallint not null,
  run_at       timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  -- The reason of the last failure, for admins.
  last_error   text,
  -- The worker that runs the job, and the time until which no other worker may take the job over.
  leased_by    uuid,
  leased_until timestamptz,
  check ((leased_by is null) = (leased_until is null))
);
alter table private.jobs enable row level security;
revoke all on private.jobs from public, anon, authenticated, service_role;

-- Serves the search for due jobs. A lease changes no column of it, which saves an index entry per attempt.
create index jobs_due on private.jobs (lane, priority, run_at);

-- Adds one job per contact, in the transaction of the contact, so that neither is stored without the other. One of these
-- jobs gives all contacts that wait to the mails and the webhook (server/jobs/contact-announcements.ts).
create function private.announce_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.jobs (task, payload, lane, attempts_max)
  values (
    'announce-contact',
    jsonb_strip_nulls(jsonb_build_object(
      'contact_id', new.id,
      -- The request that sent the contact, so that the log can be followed from there to the mail. Not read as JSON:
      -- headers that cannot be read must not refuse a contact. Quotation marks inside of a header are escaped, so that
      -- none can stand for this one.
      'request_id', substring(
        split_part(current_setting('request.headers', true), '"x-request-id":"', 2) from '^[A-Za-z0-9_-]+'
      )
    )),
    'announce', 22
  );
  return null;
end
$$;

create trigger "4 announce the contact" after insert on public.contacts
  for each row when (new.state <> 'spam') execute function private.announce_contact();

-- A contact that was spam or deleted before anything of it was sent is announced when an administrator takes it back.
-- `announced` then stays true (private.record_change), because of a contact of which mails or calls exist nobody gets
-- another: those of a spam or deleted contact wait until it is taken back, or removed.
create trigger "4 announce the contact after all" after update on public.contacts
  for each row when (new.announced and not old.announced) execute function private.announce_contact();

-- Jobs that have failed for ten minutes or more. Admins see them beside the contacts, with the reason, and may retry
-- them. The view has its owner's rights, because callers have none on the queue; its rows are for callers who may read
-- contacts.
create view public.delivery_failures with (security_barrier = true) as
select
  j.id,
  case j.task when 'call-webhook' then 'webhook' when 'account-mail' then 'account-mail' else 'mail' end as kind,
  coalesce(j.last_error, 'The server ended in the middle of it.') as reason,
  j.created_at as failing_since,
  case when j.attempts < j.attempts_max then j.run_at end as next_try_at,
  j.attempts::integer as attempts,
  j.attempts >= j.attempts_max and coalesce(j.leased_until <= now(), true) as gave_up
from private.jobs j
where (select private.may_read_contacts())
  and j.created_at <= now() - interval '10 minutes'
  and (j.last_error is not null or j.attempts >= j.attempts_max and coalesce(j.leased_until <= now(), true))
-- With it, PostgreSQL changes nothing through the view.
offset 0;

-- Retries all jobs that the caller may see at once, with as many attempts as a new job has, and returns their number. It
-- does not change a running job.
create function public.retry_deliveries() returns integer
language sql volatile security definer set search_path = '' as $$
  with retried as (
    update private.jobs j set run_at = now(), attempts = 0, leased_by = null, leased_until = null
    where j.id in (select f.id from public.delivery_failures f) and coalesce(j.leased_until <= now(), true)
    returning j.id
  )
  select count(*)::integer from retried
$$;

revoke all on public.delivery_failures from public, anon, authenticated, service_role;
revoke all on function private.announce_contact(), public.retry_deliveries()
  from public, anon, authenticated, service_role;
grant select on public.delivery_failures to authenticated;
grant execute on function public.retry_deliveries() to authenticated;
