-- After a clock was wrong, an operator says that it is right: `npm run admin -- trust-clock` (docs/operating.md#retention-of-contacts).
-- What was stored while it ran ahead would be kept too long, and hide failed mails. Visits of days that have not come
-- would count in every period. Rows that live for a day at most need none of this.
create function private.trust_clock() returns void
language sql set search_path = '' as $$
  update public.contacts set submitted_at = now() where submitted_at > now();
  update public.contacts set state_changed_at = now() where state_changed_at > now();
  update auth.users set created_at = now() where created_at > now();
  update auth.users set confirmation_sent_at = now() where confirmation_sent_at > now();
  update auth.sessions set created_at = now() where created_at > now();
  update auth.sessions set refreshed_at = now() where refreshed_at > now();
  update auth.audit_log_entries set created_at = now() where created_at > now();
  update private.jobs set created_at = now() where created_at > now();
  delete from private.visits where day > (now() at time zone 'utc')::date;
  -- The daily removal goes on.
  update private.jobs set created_at = now(), run_at = now() where task = 'remove-expired-contacts';
$$;
revoke all on function private.trust_clock() from public, anon, authenticated, service_role;
