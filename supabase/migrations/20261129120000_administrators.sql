-- Who is an administrator, and what a session must have done before it reads contacts.

-- Tables and functions that no API shows. Callers have no right to this schema.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;

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

-- The second factor (docs/protocol.md#second-factor). An administrator who has one reads contacts only in a session that
-- has used it: a stolen password alone opens nothing. With the rule below, every administrator needs one. One row: our
-- server writes it at each start from ADMIN_MFA; on a hosted project, run `select private.set_second_factor_rule(true);`
-- once.
create table private.second_factor_rule (
  only_row boolean primary key default true check (only_row),
  required boolean not null
);
insert into private.second_factor_rule (required) values (false);
alter table private.second_factor_rule enable row level security;
revoke all on private.second_factor_rule from public, anon, authenticated, service_role;

create function private.set_second_factor_rule(_required boolean) returns void
language sql security definer set search_path = '' as $$
  insert into private.second_factor_rule as r (required) values (_required)
  on conflict (only_row) do update set required = excluded.required where r.required <> excluded.required
$$;

-- What the caller must do before contacts can be read: 'none', 'verify' (use the second factor) or 'set_up' (add one).
-- Callers cannot read the factors, so the function runs as its owner. Without the row of the rule, a factor is required.
-- A factor counts whatever its type: recovery codes are never the only one, and a hosted project may have other types.
create function public.second_factor_step() returns text
language sql stable security definer set search_path = '' as $$
  select case
    when (select auth.jwt()) ->> 'aal' = 'aal2' then 'none'
    when exists (
      select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified'
    ) then 'verify'
    when (select r.required from private.second_factor_rule r) is not false
      and public.has_role((select auth.uid()), 'admin') then 'set_up'
    else 'none'
  end
$$;

-- Whether the caller may read and change contacts. Each policy, view and function about contacts asks this function, so
-- a further condition has one place. Callers need the right to call it, because policies run with the caller's rights.
create function private.may_read_contacts() returns boolean
language sql stable security definer set search_path = '' as $$
  select public.has_role((select auth.uid()), 'admin') and public.second_factor_step() = 'none'
$$;

revoke all on function
  public.has_role(uuid, public.app_role), public.second_factor_step(), private.set_second_factor_rule(boolean),
  private.may_read_contacts()
  from public, anon, authenticated, service_role;
grant execute on function public.has_role(uuid, public.app_role) to authenticated, service_role;
grant execute on function public.second_factor_step(), private.may_read_contacts() to authenticated;
