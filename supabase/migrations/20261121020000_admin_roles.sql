-- Administrators, and the function with which the site asks whether the caller is an administrator.
create type public.app_role as enum ('admin');

create table public.user_roles (
  user_id uuid not null references auth.users (id) on delete cascade,
  role    public.app_role not null,
  primary key (user_id, role)
);
alter table public.user_roles enable row level security;

-- Callers cannot read or change roles: they have neither a policy nor a right. The database's owner grants a role.
revoke all on public.user_roles from public, anon, authenticated, service_role;
grant all on public.user_roles to service_role;

-- The function is security definer, because callers cannot read user_roles. It is in schema public, because the
-- specification has the site call it by rpc. It answers users only about themselves, otherwise any user could find the
-- admins (docs/protocol.md#the-function-has_role).
create function public.has_role(_user_id uuid, _role public.app_role) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(_user_id = (select auth.uid()) or (select auth.role()) = 'service_role', false)
     and exists (select from public.user_roles r where r.user_id = _user_id and r.role = _role)
$$;
revoke all on function public.has_role(uuid, public.app_role) from public, anon, authenticated, service_role;
grant execute on function public.has_role(uuid, public.app_role) to authenticated, service_role;

notify pgrst, 'reload schema';
