-- Who takes care of a contact: an administrator takes it, or gives it to another one (docs/specification.md#who-handles-a-contact).

-- No foreign key: a contact of somebody who is no longer an administrator counts as nobody's, and is that person's again
-- when the role comes back. So the end of a role changes no contact, and an account can be deleted at once.
alter table public.contacts
  add column handled_by uuid,
  add column handled_by_since timestamptz,
  add constraint contacts_handled_by_with_its_time check (
    (handled_by is null) = (handled_by_since is null)
    and handled_by_since between '2000-01-01Z' and '2199-12-31Z'
  );

-- With 100,000 contacts, the list of an administrator who has 20 old ones takes 2 ms, and 73 without this index. Contacts
-- of visitors add no entry to it, and their inserts took the same time.
create index contacts_by_handler on public.contacts (handled_by, submitted_at, id desc) where handled_by is not null;

grant update (handled_by) on public.contacts to authenticated;

create or replace function private.record_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given constant boolean := new.handled_by is distinct from old.handled_by;
begin
  if new.state is distinct from old.state then
    new.state_changed_at := now();
    -- A trigger of our own server announces the contact at this change.
    new.announced := old.announced or new.state <> 'spam';
    -- An administrator who marks a new contact as handled takes it, unless somebody has it. Taking back the mark takes
    -- back what came with it.
    if not given and old.handled_by is null and old.state = 'new' and new.state = 'handled' then
      new.handled_by := (
        select r.user_id from public.user_roles r where r.user_id = (select auth.uid()) and r.role = 'admin'
      );
    elsif not given and old.state = 'handled' and new.state = 'new' and old.handled_by_since = old.state_changed_at then
      new.handled_by := null;
    end if;
  end if;
  if new.handled_by is distinct from old.handled_by then
    -- The same sentence for an account without the role and for none, so that it tells nothing about accounts.
    if given and new.handled_by is not null and not exists (
      select from public.user_roles r where r.user_id = new.handled_by and r.role = 'admin'
    ) then
      raise exception using errcode = '23514', message = 'Only an administrator can take care of a contact.';
    end if;
    new.handled_by_since := case when new.handled_by is not null then now() end;
  end if;
  if new.note is distinct from old.note then
    new.note_version := old.note_version + 1;
  end if;
  return new;
end
$$;

-- The administrators, to whom contacts can be given. Only administrators see their addresses.
create function public.administrators() returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_contact_reader();
  return query
    -- Accounts of a hosted project may have no address.
    select r.user_id, coalesce(u.email, r.user_id::text)::text
    from public.user_roles r join auth.users u on u.id = r.user_id
    where r.role = 'admin' order by 2;
end
$$;

-- A condition on the contacts `c`, as private.contact_filter returns them: 'nobody', or the id of an administrator.
create function private.handler_filter(_handled_by text) returns text
language sql immutable set search_path = '' as $$
  select case
    when _handled_by is null then 'true'
    when _handled_by = 'nobody' then
      '(c.handled_by is null or c.handled_by not in (select r.user_id from public.user_roles r where r.role = ''admin''))'
    else format('c.handled_by = %L::uuid', _handled_by)
  end
$$;

-- Search and count with a handler. A function of the same name with a parameter that must be given is chosen only by calls
-- that give it: both data APIs choose by the names of arguments, so calls of older pages mean the older functions. Those
-- pass their arguments on.
create function public.search_contacts(
  _search     text,
  _states     text[],
  _handled_by text,
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
  filter constant text := concat_ws(
    ' and ', private.contact_filter(_states, _interest, _from, _until), private.handler_filter(_handled_by)
  );
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

create or replace function public.search_contacts(
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
language sql stable security definer set search_path = '' as $$
  select * from public.search_contacts(
    _search, _states, null::text, _interest, _from, _until, _cursor_at, _cursor_id, _newer, _length
  )
$$;

create function public.count_contacts(
  _search     text,
  _states     text[],
  _handled_by text,
  _interest   text        default null,
  _from       timestamptz default null,
  _until      timestamptz default null,
  _exact      boolean     default false
) returns table (contacts bigint, is_estimate boolean)
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  condition constant text := concat_ws(
    ' and ', private.contact_filter(_states, _interest, _from, _until), private.handler_filter(_handled_by),
    private.contact_match(_search)
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

create or replace function public.count_contacts(
  _search   text        default '',
  _states   text[]      default null,
  _interest text        default null,
  _from     timestamptz default null,
  _until    timestamptz default null,
  _exact    boolean     default false
) returns table (contacts bigint, is_estimate boolean)
language sql stable security definer set search_path = '' as $$
  select * from public.count_contacts(_search, _states, null::text, _interest, _from, _until, _exact)
$$;

revoke all on function
  public.administrators(), private.handler_filter(text),
  public.search_contacts(text, text[], text, text, timestamptz, timestamptz, timestamptz, uuid, boolean, integer),
  public.count_contacts(text, text[], text, text, timestamptz, timestamptz, boolean)
  from public, anon, authenticated, service_role;
grant execute on function
  public.administrators(),
  public.search_contacts(text, text[], text, text, timestamptz, timestamptz, timestamptz, uuid, boolean, integer),
  public.count_contacts(text, text[], text, text, timestamptz, timestamptz, boolean)
  to authenticated;

notify pgrst, 'reload schema';
