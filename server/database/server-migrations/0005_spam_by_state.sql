-- A contact that was not announced because it was spam is announced when an administrator takes it out of that state.
create or replace trigger "4 announce the contact" after insert on public.contacts
  for each row when (new.state <> 'spam') execute function private.announce_contact();

-- `announced` then stays true (private.record_change), so this happens once, however often the state changes.
create trigger "4 announce the contact after all" after update on public.contacts
  for each row when (new.announced and not old.announced) execute function private.announce_contact();

-- Who sees failed deliveries is who may read contacts.
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
where (select private.may_read_contacts())
  and j.created_at <= now() - interval '10 minutes'
  and (j.last_error is not null or j.attempts >= j.attempts_max and coalesce(j.leased_until <= now(), true));
