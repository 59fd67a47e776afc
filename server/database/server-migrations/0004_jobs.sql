-- The queue: an outbox in the same database (docs/decisions/an-outbox-of-our-own.md). A job is added in the transaction
-- of its cause. A server that runs a job holds a lease on it, and extends the lease until it has stored the result. If
-- the server dies, the lease expires, and another server takes the job over.
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

-- Contacts that an old server stores at this moment wait for the new trigger function.
lock table public.contacts in share row exclusive mode;

-- Moves the jobs that wait in the former queue. A locked job belongs to a server that was killed.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    -- Waits for the transactions that are adding jobs.
    lock table graphile_worker._private_jobs in access exclusive mode;
    insert into private.jobs
      (task, payload, lane, priority, attempts, attempts_max, run_at, created_at, last_error)
    select t.identifier, j.payload::jsonb, case t.identifier when 'call-webhook' then 'webhook' else 'mail' end,
      j.priority, j.attempts, j.max_attempts, j.run_at, j.created_at, j.last_error
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    order by j.id;
  end if;
end
$$;

-- One job per contact, which mails all addresses of NOTIFY_TO.
create or replace function private.announce_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Mails that wait already come first (a lower number): the first contact is announced completely before the next.
  insert into private.jobs (task, payload, priority, attempts_max)
  values ('announce-contact', jsonb_build_object('contact_id', new.id), 10, 22);
  return null;
end
$$;

create or replace view public.delivery_failures with (security_barrier = true) as
select
  j.id,
  case j.task when 'call-webhook' then 'webhook' when 'account-mail' then 'account-mail' else 'mail' end as kind,
  coalesce(j.last_error, 'The server ended in the middle of it.') as reason,
  j.created_at as failing_since,
  case when j.attempts < j.attempts_max then j.run_at end as next_try_at,
  j.attempts::integer as attempts,
  j.attempts >= j.attempts_max and coalesce(j.leased_until <= now(), true) as gave_up
from private.jobs j
where (select public.has_role((select auth.uid()), 'admin'))
  and j.created_at <= now() - interval '10 minutes'
  and (j.last_error is not null or j.attempts >= j.attempts_max and coalesce(j.leased_until <= now(), true));

create or replace function private.retry_delivery() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'UPDATE' then
    return null;
  end if;
  update private.jobs set run_at = now(), attempts = 0, leased_by = null, leased_until = null
  where id = old.id and coalesce(leased_until <= now(), true);
  return case when found then new end;
end
$$;

drop schema graphile_worker cascade;
