-- Whether a signed-in caller can read any contact, as a condition for the caller's own statement. PostgreSQL evaluates a policy
-- for each row that it reads, also a policy without a column, so an account that may read none made it read a million
-- contacts. The same condition in the statement is evaluated once, before any row is read (server/data/write-sql.ts).
create function public.is_contact_reader() returns boolean
language sql stable security definer set search_path = '' as $$
  -- A further policy, or none in force, may show contacts to others: then only PostgreSQL can tell.
  select private.may_read_contacts() or exists (
    select from pg_catalog.pg_class c
    left join pg_catalog.pg_policy p on p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
    where c.oid = 'public.contacts'::regclass and (
      not c.relrowsecurity
      or pg_get_expr(p.polqual, p.polrelid) is distinct from '( SELECT private.may_read_contacts() AS may_read_contacts)'
    )
  )
$$;
revoke all on function public.is_contact_reader() from public, anon, authenticated, service_role;
grant execute on function public.is_contact_reader() to authenticated;

notify pgrst, 'reload schema';
