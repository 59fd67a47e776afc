-- The roles that a hosted project has. They belong to the whole cluster, and other databases of it may have made them
-- already: so this file alone asks first, and tolerates that someone else makes one at the same moment.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      -- The only one that logs in. It has no right of its own, and becomes one of the others for each request.
      ('authenticator', 'login noinherit')
    ) as roles (name, attributes)
    where not exists (select from pg_catalog.pg_roles where rolname = roles.name)
  loop
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;

  for wanted in
    select r.oid::regrole as name
    from pg_catalog.pg_roles r
    where r.rolname in ('anon', 'authenticated', 'service_role')
      and not exists (
        select from pg_catalog.pg_auth_members m where m.roleid = r.oid and m.member = 'authenticator'::regrole
      )
  loop
    begin
      execute format('grant %s to authenticator', wanted.name);
    exception when unique_violation then
      null;
    end;
  end loop;
end
$$;

-- The same limits as on a hosted project, for this database: a visitor's statement must not hold a connection for long.
-- `set role` does not apply them, so the data API sets them itself; these are for whoever logs in.
do $$
begin
  execute format('alter role authenticator in database %I set statement_timeout = %L', current_database(), '8s');
  execute format('alter role authenticator in database %I set lock_timeout = %L', current_database(), '8s');
end
$$;
