-- The view "Inbox" has two states, so the index by state does not have its order. Without this index, its last page reads
-- all archived contacts that are older.
create index contacts_inbox on public.contacts (submitted_at desc, id) where state in ('new', 'handled');

-- With one state, only a comparison by `=` uses the order of the index by state.
create or replace function private.contact_filter(
  _states text[], _interest text, _from timestamptz, _until timestamptz
) returns text
language sql stable set search_path = '' as $$
  select concat_ws(' and ',
    'true',
    case
      when cardinality(_states) = 1 then format('c.state = %L', _states[1])
      when _states is not null then format('c.state = any (%L::text[])', _states)
    end,
    case when _interest is not null then format('c.interest = %L', _interest) end,
    case when _from is not null then format('c.submitted_at >= %L::timestamptz', _from) end,
    case when _until is not null then format('c.submitted_at < %L::timestamptz', _until) end
  )
$$;
