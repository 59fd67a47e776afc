-- The index of the search (docs/decisions/search-in-one-function.md). It needs the extension pg_trgm. Where an operator
-- adds the extension later, `select private.index_contact_text()` makes the index.

-- The text that a search compares, as an expression on a contact: lower case, and without apostrophes, which are removed
-- from a name before it is stored. It is no function, because each visitor whose contact is stored in an index with a
-- function needs the right to call it. Search and index use it letter for letter, so that PostgreSQL recognizes it.
create function private.contact_text_expression() returns text
language sql immutable return
  $sql$replace(lower((name || E'\n' || company || E'\n' || email) collate "und-x-icu"), '''', '') collate "C"$sql$;

create or replace function private.contact_match(_search text) returns text
language sql stable set search_path = '' as $$
  select string_agg(
    format(
      '%s like %L',
      private.contact_text_expression(),
      '%' || regexp_replace(found.word, '([\\%_])', '\\\1', 'g') || '%'
    ),
    ' and '
  )
  from (
    select distinct word
    from regexp_split_to_table(
      translate(lower(left(_search, 200) collate "und-x-icu"), '<>"''', ''), '[' || private.white_space() || ']+'
    ) word
    where word <> ''
    limit 8
  ) found
$$;
drop function private.contact_text(text, text, text);

-- Answers whether there is an index now. A short list of pending entries keeps the contact that empties the list from
-- taking much longer than others.
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
       using gin ((%s) %I.gin_trgm_ops) with (gin_pending_list_limit = 256)',
      private.contact_text_expression(), extension_schema
    );
  end if;
  return extension_schema is not null;
end
$$;
revoke all on function private.contact_text_expression(), private.index_contact_text()
  from public, anon, authenticated, service_role;

select private.index_contact_text();
