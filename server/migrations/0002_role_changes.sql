-- Writes an audit entry when an administrator's role is granted or revoked: by `npm run admin`, by SQL, or by removal
-- of the account. A hosted project has an audit log of its own. The entry has the format of the other entries. If nobody is
-- signed in, as in `npm run admin`, the actor is the database login.
create function private.log_role_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into auth.audit_log_entries (payload, created_at)
  select jsonb_build_object(
    'actor_id', coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000'),
    'actor_username', coalesce((select auth.email()), session_user),
    'action', changed.action,
    'traits', jsonb_build_object(
      'user_id', changed.user_id,
      'user_email', (select u.email from auth.users u where u.id = changed.user_id),
      'role', changed.role
    )
  ), now()
  from (values ('role_revoked', old.user_id, old.role), ('role_granted', new.user_id, new.role))
    as changed (action, user_id, role)
  where changed.user_id is not null;
  return null;
end
$$;
revoke all on function private.log_role_change() from public, anon, authenticated, service_role;

create trigger "log the change of a role" after insert or update or delete on public.user_roles
  for each row execute function private.log_role_change();
