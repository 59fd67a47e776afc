-- Cleans and checks a contact before it is stored (docs/specification.md#cleaning). The browser cleans in the same way
-- (validation/contact.ts), but a caller can skip the browser. tests/fixtures/contact-cases.json tests both. A regular
-- expression's classes depend on the collation and on the version of PostgreSQL, so the characters are listed.

-- The characters that JavaScript's String.prototype.trim removes.
create function private.white_space() returns text
language sql immutable return
  E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
  '\u2028\u2029\u202f\u205f\u3000\ufeff';

-- What is not visible, beside control characters, for the inside of a regular expression's brackets: white space,
-- Unicode's Default_Ignorable_Code_Point with the marks that change the direction, interlinear annotations and the empty
-- Braille pattern.
create function private.invisible() returns text
language sql immutable return
  E'\t-\r \u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800'
  '\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff';

-- PostgreSQL puts the expressions of the next functions in the place of their calls, which it does only without a
-- `search_path`. They need none, because it resolves the names in them now. Nearly all text needs no cleaning, which one
-- regular expression finds out; of a text far beyond its limit only the beginning is read.
create function private.clean_text(raw text, length_max integer) returns text
language sql immutable return
  -- The whole text if it has a visible character, else null.
  coalesce(substring(
    case
      when octet_length(raw) <= 4 * length_max and char_length(raw) <= length_max and raw !~ (
        E'[<>"\'\u0001-\u001f\u007f-\u009f\u2028\u2029]|^[' || private.white_space() || ']|['
        || private.white_space() || ']$'
      ) then raw
      else rtrim(
        left(
          btrim(
            regexp_replace(
              btrim(
                regexp_replace(left(raw, 10 * length_max), E'\r\n|[\t-\r\u0085\u2028\u2029]', ' ', 'g'),
                private.white_space()
              ),
              E'[<>"\'\u0001-\u001f\u007f-\u009f]', '', 'g'
            ),
            private.white_space()
          ),
          length_max
        ),
        private.white_space()
      )
    end
    from E'^.*[^\u0001-\u001f\u007f-\u009f' || private.invisible() || '].*$'
  ), '');

-- ICU changes letters to lower case as JavaScript does; the result of the database's own collation depends on its locale.
create function private.clean_email(raw text) returns text
language sql immutable return case
  -- Too long for an address, and refused for it: what would be cut off may be visible.
  when octet_length(raw) > 4000 then left(raw, 1000)
  when raw ~ '^[!-~]+$' then lower(raw collate "und-x-icu")
  else normalize(
    lower(
      coalesce(substring(raw from '[^' || private.invisible() || '](?:.*[^' || private.invisible() || '])?'), '')
      collate "und-x-icu"
    ),
    nfc
  )
end;

-- One `@` between two parts; no invisible and no control character, no `<`, `>` and `"`; at most 160 characters.
create function private.is_contact_email(email text) returns boolean
language sql immutable return
  char_length(email) <= 160
  and email ~ '^[^@]+@[^@]+$'
  and email !~ (E'[<>"\u0001-\u001f\u007f-\u009f' || private.invisible() || ']');

-- What a browser tells of a source (validation/source.ts). A regular expression that counted to 100 would take thirty
-- times as long as the length beside one. A campaign is cut last, because some letters are longer in lower case.
create function private.clean_referrer(raw text) returns text
language sql immutable return
  case when char_length(raw) <= 100 and lower(raw) ~ '^[a-z0-9.-]+$' then lower(raw) else '' end;
create function private.clean_campaign(raw text) returns text
language sql immutable return private.clean_text(lower(raw collate "und-x-icu"), 306);
create function private.clean_page(raw text) returns text
language sql immutable return case when char_length(raw) <= 100 and raw ~ '^/[A-Za-z0-9/._-]*$' then raw else '' end;

create function private.clean_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  headers text;
  source json;
  told text;
begin
  -- The words of content/messages.ts: whoever calls the data API directly reads the same as a visitor. `detail` names the
  -- field for programs. A name or an address that is already stored stays as it is, so that a row that a restore has
  -- brought can be updated.
  if tg_op = 'INSERT' or new.name is distinct from old.name then
    new.name := private.clean_text(coalesce(new.name, ''), 120);
    if new.name = '' then
      raise exception using errcode = '23514', detail = 'name', message = 'Please enter your name.';
    end if;
  end if;
  new.company := private.clean_text(coalesce(new.company, ''), 160);
  if tg_op = 'INSERT' or new.email is distinct from old.email then
    new.email := private.clean_email(coalesce(new.email, ''));
    if not private.is_contact_email(new.email) then
      raise exception using errcode = '23514', detail = 'email', message = 'Please enter a valid email address.';
    end if;
  end if;
  if new.interest is null or new.interest not in ('consulting', 'co-development', 'partnerships') then
    raise exception using
      errcode = '23514', detail = 'interest', message = 'Please select what you''re interested in.';
  end if;
  if tg_op = 'UPDATE' then
    return new;
  end if;

  -- The source is beside the contact, in a header that every gateway of Supabase lets through
  -- (docs/protocol.md#source-of-a-contact). It is left out if the browser asks for privacy.
  headers := current_setting('request.headers', true);
  if strpos(headers, '"x-client-info":"{') > 0 and strpos(headers, '"sec-gpc":"1"') = 0
    and strpos(headers, '"dnt":"1"') = 0 then
    begin
      source := (headers::json ->> 'x-client-info')::json;
      -- The functions would compute an expression several times, so they get a variable.
      told := source ->> 'referrer';
      new.referrer := private.clean_referrer(told);
      told := lower((source ->> 'campaign') collate "und-x-icu");
      new.campaign := private.clean_text(told, 306);
      told := source ->> 'page';
      new.first_page := private.clean_page(told);
    exception when others then
      -- An unreadable source must not refuse the contact.
      null;
    end;
  end if;
  return new;
end
$$;

-- Triggers run in the order of their names, so a contact is clean before the next trigger compares it.
create trigger "1 clean the contact" before insert or update on public.contacts
  for each row execute function private.clean_contact();
