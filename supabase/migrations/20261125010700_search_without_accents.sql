-- The search finds letters without their accents, and the other way round: `muller` finds Müller, `straße` Strasse.

-- A text as the search compares it: in lower case, without accents, apostrophes and the characters that are removed from a
-- contact. Letters that Unicode does not divide into a letter and an accent are replaced one by one.
create function private.text_without_accents(_text text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    normalize(
      replace(replace(replace(
        translate(lower(_text collate "und-x-icu"), 'łøđħıς', 'lodhiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
      nfkd
    ),
    '[\u0300-\u036f<>"'']', '', 'g'
  )
$$;

-- The text of a contact is stored like that, because making it takes 30 microseconds and a search reads thousands. The
-- expression repeats the function: with a call, each visitor who sends a contact would need the right to call it.
alter table public.contacts add column search_text text collate "C" not null generated always as (
  regexp_replace(
    normalize(
      replace(replace(replace(
        translate(lower((name || E'\n' || company || E'\n' || email) collate "und-x-icu"), 'łøđħıς', 'lodhiσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
      nfkd
    ),
    '[\u0300-\u036f<>"'']', '', 'g'
  )
) stored;

drop index if exists public.contacts_by_text;
create or replace function private.contact_text_expression() returns text
language sql immutable return 'search_text';
select private.index_contact_text();

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
    from regexp_split_to_table(private.text_without_accents(left(_search, 200)), '[' || private.white_space() || ']+') word
    where word <> ''
    limit 8
  ) found
$$;
revoke all on function private.text_without_accents(text) from public, anon, authenticated, service_role;

notify pgrst, 'reload schema';
