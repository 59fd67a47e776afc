-- How the inbox finds and counts contacts (docs/specification.md#search-and-counts). Row-level security keeps PostgreSQL
-- from searching by an index, because a comparison of text may reveal hidden rows in its errors. So these functions have
-- their owner's rights, and ask first whether the caller may read contacts.

create function private.require_contact_reader() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_read_contacts() then
    raise exception using errcode = '42501', message = 'You do not have permission to view contacts.';
  end if;
end
$$;

-- The text that a search compares, as an expression on a contact: lower case, and without apostrophes, which are removed
-- from a name before it is stored. It is no function, because each visitor whose contact is stored in an index with a
-- function needs the right to call it. Search and index use it letter for letter, so that PostgreSQL recognizes it.
create function private.contact_text_expression() returns text
language sql immutable return
  $sql$replace(lower((name || E'\n' || company || E'\n' || email) collate "und-x-icu"), '''', '') collate "C"$sql$;

-- The index of the search (docs/decisions/search-in-one-function.md). It needs the extension pg_trgm. Where an operator
-- adds the extension later, `select private.index_contact_text()` makes the index, and answers whether there is one now.
-- Its list of pending entries is the shortest that PostgreSQL allows: of a thousand visitors' contacts, one then took
-- 7 ms where it took 14 ms with a list of four times this length; the median stayed.
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
select private.index_contact_text();

-- The next two functions return a condition on the contacts `c` as SQL. Values are literals in it, so that PostgreSQL
-- plans each statement for its values.
create function private.contact_filter(_states text[], _interest text, _from timestamptz, _until timestamptz)
returns text
language sql stable set search_path = '' as $$
  select concat_ws(' and ',
    'true',
    case
      -- With one state, only a comparison by `=` uses the index of new contacts.
      when cardinality(_states) = 1 then format('c.state = %L', _states[1])
      when _states is not null then format('c.state = any (%L::text[])', _states)
    end,
    case when _interest is not null then format('c.interest = %L', _interest) end,
    case when _from is not null then format('c.submitted_at >= %L::timestamptz', _from) end,
    case when _until is not null then format('c.submitted_at < %L::timestamptz', _until) end
  )
$$;

-- Null without a word. Each word is compared literally: `%`, `_` and `\` have no meaning of their own.
create function private.contact_match(_search text) returns text
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

-- Rows after the cursor in the order of the list (or before it, with `_newer`), the nearest first. Without the id of the
-- cursor, its time alone divides the list.
create function public.search_contacts(
  _search     text,
  _states     text[]      default null,
  _interest   text        default null,
  _from       timestamptz default null,
  _until      timestamptz default null,
  _cursor_at  timestamptz default null,
  _cursor_id  uuid        default null,
  _newer      boolean     default false,
  _length     integer     default 50
) returns setof public.contacts
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  -- Rows that are read in the order of the list before the search turns to the index of the text.
  scan_length constant integer := 5000;
  rows_missing integer := least(greatest(coalesce(_length, 50), 0), 1000);
  filter constant text := private.contact_filter(_states, _interest, _from, _until);
  match constant text := private.contact_match(_search);
  list_order constant text := case when _newer then 'c.submitted_at, c.id desc' else 'c.submitted_at desc, c.id' end;
  -- The first comparison repeats a part of the second, because only the first can use the index.
  after_cursor constant text := case
    when _newer then ' and c.submitted_at >= %1$L::timestamptz and (c.submitted_at > %1$L or c.id < %2$L::uuid)'
    else ' and c.submitted_at <= %1$L::timestamptz and (c.submitted_at < %1$L or c.id > %2$L::uuid)'
  end;
  nearest text := filter;
  rows_found bigint;
begin
  perform private.require_contact_reader();
  if _cursor_at is not null then
    nearest := filter || format(after_cursor, _cursor_at, coalesce(_cursor_id, '00000000-0000-0000-0000-000000000000'));
  end if;
  if match is null then
    return query execute format(
      'select c.* from public.contacts c where %s order by %s limit %s', nearest, list_order, rows_missing
    );
    return;
  end if;

  -- A frequent word is found here.
  return query execute format(
    'select c.* from (select c.* from public.contacts c where %1$s order by %2$s limit %3$s) c
     where %4$s order by %2$s limit %5$s',
    nearest, list_order, scan_length, match, rows_missing
  );
  get diagnostics rows_found = row_count;
  rows_missing := rows_missing - rows_found;
  if rows_missing <= 0 then
    return;
  end if;
  execute format(
    'select c.submitted_at, c.id from public.contacts c where %s order by %s limit 1 offset %s',
    nearest, list_order, scan_length - 1
  ) into _cursor_at, _cursor_id;
  if _cursor_id is null then
    return;
  end if;

  -- The rest of a rare word. Materialized, because otherwise the limit would lead PostgreSQL to the index of the times.
  return query execute format(
    'with found as materialized (select c.* from public.contacts c where %1$s and %2$s)
     select c.* from found c order by %3$s limit %4$s',
    filter || format(after_cursor, _cursor_at, _cursor_id), match, list_order, rows_missing
  );
end
$$;

-- Counts up to 5,000, and estimates a larger number from a sample of the table.
create function private.count_or_estimate(condition text)
returns table (contacts bigint, is_estimate boolean)
language plpgsql stable set search_path = '' as $$
declare
  count_max constant integer := 5000;
  sample_pages constant integer := 400;
  pages constant bigint := pg_relation_size('public.contacts') / current_setting('block_size')::integer;
  percent constant real := least(100.0 * sample_pages / greatest(pages, 1), 100);
  sampled bigint;
  matching bigint;
begin
  -- Materialized, because otherwise the limit would lead PostgreSQL to a scan of the whole table for a rare word.
  execute format(
    'with found as materialized (select from public.contacts c where %s)
     select count(*) from (select from found limit %s) counted',
    condition, count_max + 1
  ) into contacts;
  is_estimate := contacts > count_max;
  if is_estimate then
    execute format(
      'select count(*), count(*) filter (where %s) from public.contacts c tablesample system (%s) repeatable (1)',
      condition, percent
    ) into sampled, matching;
    -- The rows per page are known from the last analysis, except in a new table.
    select greatest(contacts, matching::float8 / greatest(sampled, 1)
      * coalesce(pages * t.reltuples / nullif(t.relpages, 0), sampled * 100 / percent))
    into contacts
    from pg_catalog.pg_class t where t.oid = 'public.contacts'::regclass;
    -- Two digits are known.
    contacts := round(contacts, 2 - length(contacts::text));
  end if;
  return next;
end
$$;

create function public.count_contacts(
  _search   text        default '',
  _states   text[]      default null,
  _interest text        default null,
  _from     timestamptz default null,
  _until    timestamptz default null,
  _exact    boolean     default false
) returns table (contacts bigint, is_estimate boolean)
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  condition constant text := concat_ws(
    ' and ', private.contact_filter(_states, _interest, _from, _until), private.contact_match(_search)
  );
begin
  perform private.require_contact_reader();
  if _exact then
    is_estimate := false;
    execute format('select count(*) from public.contacts c where %s', condition) into contacts;
    return next;
  else
    return query select * from private.count_or_estimate(condition);
  end if;
end
$$;

-- What an open inbox asks for every few seconds. It takes the same time with any number of contacts.
create function public.inbox_news()
returns table (unread bigint, unread_is_estimate boolean, newest_at timestamptz, revision bigint)
language plpgsql stable security definer set search_path = '' set jit = off as $$
begin
  perform private.require_contact_reader();
  return query
    select counted.contacts, counted.is_estimate, newest.submitted_at, r.revision
    from private.count_or_estimate(private.contact_filter('{new}', null, null, null)) counted
    cross join private.contact_revision r
    cross join (select max(c.submitted_at) as submitted_at from public.contacts c where c.state <> 'spam') newest;
end
$$;

-- The number of contacts in each of the last 26 weeks and of each interest, for the chart above the list, without spam.
-- Weeks begin on Monday, in UTC, so that every admin sees the same numbers. The view has the rights of its owner, because
-- with those of the caller, row-level security would keep PostgreSQL from counting by an index. Its rows are for callers
-- who may read contacts.
create view public.contacts_per_week with (security_barrier = true) as
select weeks.week, interests.interest, counted.contacts
from (
  select date_trunc('week', now() at time zone 'utc')::date - 7 * n as week
  from generate_series(25, 0, -1) n
  where (select private.may_read_contacts())
) weeks
cross join unnest(array['consulting', 'co-development', 'partnerships']) as interests (interest)
cross join lateral (
  select count(*)::integer as contacts
  from public.contacts c
  where c.interest = interests.interest
    and c.state <> 'spam'
    and c.submitted_at >= weeks.week::timestamp at time zone 'utc'
    and c.submitted_at < (weeks.week + 7)::timestamp at time zone 'utc'
) counted;
revoke all on public.contacts_per_week from public, anon, authenticated, service_role;
grant select on public.contacts_per_week to authenticated;

revoke all on function
  private.require_contact_reader(), private.contact_text_expression(), private.index_contact_text(),
  private.contact_filter(text[], text, timestamptz, timestamptz), private.contact_match(text),
  private.count_or_estimate(text)
  from public, anon, authenticated, service_role;
revoke all on function
  public.search_contacts(text, text[], text, timestamptz, timestamptz, timestamptz, uuid, boolean, integer),
  public.count_contacts(text, text[], text, timestamptz, timestamptz, boolean),
  public.inbox_news()
  from public, anon, authenticated, service_role;
grant execute on function
  public.search_contacts(text, text[], text, timestamptz, timestamptz, timestamptz, uuid, boolean, integer),
  public.count_contacts(text, text[], text, timestamptz, timestamptz, boolean),
  public.inbox_news()
  to authenticated;

notify pgrst, 'reload schema';
