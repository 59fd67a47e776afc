-- Contacts and the second factor (docs/protocol.md#second-factor). An administrator who has a second factor reads
-- contacts only in a session that has used it: a stolen password alone opens nothing. With the rule below, every
-- administrator needs one.

-- One row. Our server writes it at each start from ADMIN_MFA; on a hosted project, run
-- `select private.require_second_factor(true);` once.
create table private.second_factor_rule (
  only_row boolean primary key default true check (only_row),
  required boolean not null
);
insert into private.second_factor_rule (required) values (false);
alter table private.second_factor_rule enable row level security;
revoke all on private.second_factor_rule from public, anon, authenticated, service_role;

create function private.require_second_factor(_required boolean) returns void
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

create or replace function private.may_read_contacts() returns boolean
language sql stable security definer set search_path = '' as $$
  select public.has_role((select auth.uid()), 'admin') and public.second_factor_step() = 'none'
$$;

revoke all on function private.require_second_factor(boolean), public.second_factor_step()
  from public, anon, authenticated, service_role;
grant execute on function public.second_factor_step() to authenticated;

notify pgrst, 'reload schema';
