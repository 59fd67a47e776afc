-- Only PostgreSQL's own functions run with your rights, not those that others have made in public.
set search_path = pg_catalog, pg_temp;

-- Refuses a login that may do more than the site needs or that others may become, and a database of another owner.
do $setup$
declare
  problem text;
begin
  with mighty as (
    select oid from pg_catalog.pg_roles
    where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
      or rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
  )
  select sentence into problem from (
    select pg_catalog.format('%s %s: name another user in DATABASE_URL, or take that right away.', login.rolname,
        case able.oid when login.oid then 'is a superuser, or has createrole, createdb, replication or bypassrls'
          else pg_catalog.concat('may become ', able.rolname) end) as sentence
    from pg_catalog.pg_roles login join pg_catalog.pg_roles able on pg_catalog.pg_has_role(login.oid, able.oid, 'member')
    where login.rolname in (:'owner', :'caller') and able.oid in (select oid from mighty)
       or login.rolname = :'caller' and able.rolname not in (:'caller', 'anon', 'authenticated')
    order by able.oid = login.oid desc limit 1) logins
  union all
  select pg_catalog.format('%s may become %s, or let others: name another user in DATABASE_URL, or revoke that.', other.rolname, login.rolname)
  from pg_catalog.pg_auth_members join pg_catalog.pg_roles other on other.oid = member
  join pg_catalog.pg_roles login on login.oid = roleid
  where login.rolname in (:'owner', :'caller') and not other.rolsuper and other.rolname <> current_user
  union all
  select pg_catalog.format('The role %s has other rights than the site''s: it may log in, may become another role, or has administrator rights.', rolname)
  from pg_catalog.pg_roles shared
  where rolname in ('anon', 'authenticated', 'service_role')
    and (rolcanlogin or rolsuper or rolcreaterole or rolname <> 'service_role' and oid in (select oid from mighty)
      or exists (select from pg_catalog.pg_auth_members where member = shared.oid))
  union all
  select pg_catalog.format('The database %s belongs to %s: name another one in DATABASE_URL, and move the contacts with npm run backup and npm run restore.',
    datname, pg_catalog.pg_get_userbyid(datdba))
  from pg_catalog.pg_database
  where datname = :'database' and pg_catalog.pg_get_userbyid(datdba) <> :'owner';
  if problem is not null then
    raise exception '%', problem;
  end if;
end
$setup$;

-- The login that owns the database. Its password is the one in DATABASE_URL, which this hash does not show.
select pg_catalog.format('create role %I login password %L', :'owner', :'ownerHash')
where not exists (select from pg_catalog.pg_roles where rolname = :'owner')
\gexec

-- The roles of visitors and of people who are logged in. The product never uses service_role, but grants it rights.
select pg_catalog.format('create role %I nologin noinherit', shared)
from pg_catalog.unnest(array['anon', 'authenticated', 'service_role']) shared
where not exists (select from pg_catalog.pg_roles where rolname = shared)
\gexec

-- The login for requests. It has no right of its own, and becomes anon or authenticated.
select pg_catalog.format('create role %I noinherit', :'caller')
where not exists (select from pg_catalog.pg_roles where rolname = :'caller')
\gexec

-- Its password is derived from that of the owner.
alter role :"caller" login noinherit password :'callerHash';

-- Lets the login for requests become anon or authenticated, and the owner too, for the tests of npm run doctor.
select pg_catalog.format('grant %I to %I', granted, login)
from pg_catalog.unnest(array['anon', 'authenticated']) granted, pg_catalog.unnest(array[:'caller', :'owner']) login
where not pg_catalog.pg_has_role(login, granted, 'member')
\gexec

-- Without superuser rights, you can create a database only for a role you belong to.
select pg_catalog.format('grant %I to %I', :'owner', current_user)
where not pg_catalog.pg_has_role(:'owner',
  case when pg_catalog.current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
\gexec

-- The database.
select pg_catalog.format('create database %I owner %I template template0 encoding ''UTF8''', :'database', :'owner')
where not exists (select from pg_catalog.pg_database where datname = :'database')
\gexec

-- Only the site's logins may enter it, also if it was there before: the login of another site could act as any user. As
-- the owner, because PostgreSQL only warns somebody who may not grant or revoke.
begin;
set local role :"owner";
revoke connect, temporary on database :"database" from public;
grant connect on database :"database" to :"caller";
commit;

-- Only they run with the owner's rights there, too: name the schema of everything else.
alter role :"owner" in database :"database" set search_path = pg_catalog, pg_temp;

-- Statements of the login for requests have a time limit there.
alter role :"caller" in database :"database" set statement_timeout = '8s';
alter role :"caller" in database :"database" set lock_timeout = '8s';
