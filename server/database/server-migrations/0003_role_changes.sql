-- Writes down who becomes an administrator and who ceases to be one, whichever way it was done: by command, by hand, or
-- because the account went. A hosted project keeps its own log of what its owners do.
create function private.log_role_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    perform private.log_role('role_revoked', old);
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    perform private.log_role('role_granted', new);
  end if;
  return null;
end
$$;

-- In the shape of every other entry. Nobody is signed in where the command runs: then it was a login of the database.
create function private.log_role(action text, changed public.user_roles) returns void
language sql security definer set search_path = '' as $$
  insert into auth.audit_log_entries (payload, created_at)
  values (
    jsonb_build_object(
      'actor_id', coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000'),
      'actor_username', coalesce((select auth.email()), session_user),
      'actor_via_sso', false,
      'action', action,
      'log_type', 'account',
      'traits', jsonb_build_object(
        'user_id', changed.user_id,
        'user_email', (select u.email from auth.users u where u.id = changed.user_id),
        'role', changed.role
      )
    ),
    now()
  )
$$;
revoke all on function private.log_role_change(), private.log_role(text, public.user_roles)
  from public, anon, authenticated, service_role;

create trigger "log the change of a role" after insert or update or delete on public.user_roles
  for each row execute function private.log_role_change();
