-- Cleans and checks a contact before it is stored (docs/specification.md#cleaning). The browser cleans in the same way
-- (validation/contact.ts), but a caller can skip the browser. tests/fixtures/contact-cases.json tests both. A regular
-- expression's classes depend on the collation and on the version of PostgreSQL, so the characters are listed.

-- The characters that JavaScript's String.prototype.trim removes.
create function private.white_space() returns text
language sql immutable set search_path = '' as $$
  select E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
      || E'\u2028\u2029\u202f\u205f\u3000\ufeff'
$$;

-- PostgreSQL puts the expressions of these three functions in the place of their calls, which it does only without a
-- `search_path`. They need none, because it resolves the names in them now. Nearly all text needs no cleaning, which one
-- regular expression finds out.
create function private.clean_text(raw text, length_max integer) returns text
language sql immutable return
  -- The whole text if it has a visible character, else null.
  coalesce(substring(
    case
      when char_length(raw) <= length_max and raw !~ (
        E'[<>"\'\u0001-\u001f\u007f-\u009f\u2028\u2029]|^[' || private.white_space() || ']|['
        || private.white_space() || ']$'
      ) then raw
      else rtrim(
        left(
          btrim(
            regexp_replace(
              btrim(regexp_replace(raw, E'\r\n|[\t-\r\u0085\u2028\u2029]', ' ', 'g'), private.white_space()),
              E'[<>"\'\u0001-\u001f\u007f-\u009f]', '', 'g'
            ),
            private.white_space()
          ),
          length_max
        ),
        private.white_space()
      )
    end
    -- A visible character is no control character, no white space, none of Unicode's Default_Ignorable_Code_Point, no
    -- interlinear annotation and not the empty Braille pattern.
    from E'^.*[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff].*$'
  ), '');

-- ICU changes letters to lower case as JavaScript does. The result of the database's own collation depends on its
-- locale.
create function private.clean_email(raw text) returns text
language sql immutable return lower(btrim(raw, private.white_space()) collate "und-x-icu");

-- One `@` between two parts; no white space, no control character, no `<`, `>` and `"`; at most 160 characters.
create function private.is_contact_email(email text) returns boolean
language sql immutable return
  char_length(email) <= 160
  and email ~ '^[^@]+@[^@]+$'
  and email !~ ('[<>"' || E'\u0001-\u001f\u007f-\u009f' || private.white_space() || ']');

create function private.clean_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The words of content/messages.ts: whoever calls the data API directly reads the same as a visitor. A name or an address
  -- that is already stored stays as it is, so that a row from before a rule can be updated.
  if tg_op = 'INSERT' or new.name is distinct from old.name then
    new.name := private.clean_text(coalesce(new.name, ''), 120);
    if new.name = '' then
      raise exception using errcode = '23514', message = 'Please enter your name.';
    end if;
  end if;
  new.company := private.clean_text(coalesce(new.company, ''), 160);
  new.email := private.clean_email(coalesce(new.email, ''));
  if new.email is distinct from old.email and not private.is_contact_email(new.email) then
    raise exception using errcode = '23514', message = 'Please enter a valid email address.';
  end if;
  if new.interest is null or new.interest not in ('consulting', 'co-development', 'partnerships') then
    raise exception using errcode = '23514', message = 'Please select what you''re interested in.';
  end if;
  return new;
end
$$;

-- Triggers run in the order of their names, so a contact is clean before the next trigger compares it.
create trigger "1 clean the contact" before insert or update on public.contacts
  for each row execute function private.clean_contact();

revoke all on function
  private.white_space(), private.clean_text(text, integer), private.clean_email(text), private.is_contact_email(text),
  private.clean_contact()
  from public, anon, authenticated, service_role;
