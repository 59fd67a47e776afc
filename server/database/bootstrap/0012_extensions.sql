-- Trigrams make the search for contacts fast among many (docs/decisions/search-in-one-function.md). Without the
-- extension, which some packages of PostgreSQL leave out, the search works and takes longer.
do $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm schema extensions;
  end if;
exception when insufficient_privilege then
  raise notice 'The extension pg_trgm was not created: %', sqlerrm;
end
$$;
