-- The roles of a hosted Supabase project. All databases of one PostgreSQL server share its roles, so they may exist
-- already because of another database. Therefore this file, unlike the others, checks which roles exist. It also works
-- if another server creates a role at the same moment. After `npm run admin -- database-setup`, which makes the roles and
-- another login in place of authenticator, this file counts as applied.
do $$
declare
  statement text;
begin
  for statement in
    select format('create role %I %s', name, attributes) from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      -- The only one that logs in. It has no right of its own, and becomes one of the others for each request.
      ('authenticator', 'login noinherit')
    ) as roles (name, attributes)
    where not exists (select from pg_catalog.pg_roles where rolname = name)
    union all
    select format('grant %I to authenticator', name) from unnest(array['anon', 'authenticated', 'service_role']) as name
    where not exists (
      select from pg_catalog.pg_auth_members
      where pg_get_userbyid(roleid) = name and pg_get_userbyid(member) = 'authenticator'
    )
    -- First the roles.
    order by 1
  loop
    begin
      execute statement;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
end
$$;

-- The time limits of a hosted project, set for this database only. PostgreSQL applies them when authenticator logs in,
-- but `set role` does not apply the settings of a role. So the data API sets its limits itself
-- (docs/protocol.md#statement-timeouts).
do $$
begin
  execute format('alter role authenticator in database %I set statement_timeout = %L', current_database(), '8s');
  execute format('alter role authenticator in database %I set lock_timeout = %L', current_database(), '8s');
end
$$;
