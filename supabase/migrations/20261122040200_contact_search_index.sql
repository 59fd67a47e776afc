-- The index of the search (docs/decisions/search-in-one-function.md). It needs the extension pg_trgm. Where an operator
-- adds the extension later, `select private.index_contact_text()` makes the index.

-- Answers whether there is an index now. Its list of pending entries is the shortest that PostgreSQL allows: of a thousand
-- visitors' contacts, one then took 7 ms where it took 14 ms with a list of four times this length; the median stayed.
create function private.index_contact_text() returns boolean
language plpgsql set search_path = '' as $$
declare
  extension_schema constant text := (
    select n.nspname
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm'
  );
begin
  if extension_schema is not null then
    execute format(
      'create index if not exists contacts_by_text on public.contacts
       using gin ((%s) %I.gin_trgm_ops) with (gin_pending_list_limit = 64)',
      private.contact_text_expression(), extension_schema
    );
  end if;
  return extension_schema is not null;
end
$$;
revoke all on function private.index_contact_text() from public, anon, authenticated, service_role;

select private.index_contact_text();
