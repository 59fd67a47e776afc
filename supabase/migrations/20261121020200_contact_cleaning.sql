-- Cleans and checks a contact before it is stored. The browser cleans in the same way (validation/contact.ts), but a
-- caller can skip the browser. tests/fixtures/contact-cases.json tests both.

-- This schema is for functions that run with their owner's rights. Callers have no right to the schema.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;

-- The characters that JavaScript's String.prototype.trim removes. They are listed here, because the characters that SQL
-- counts as white space depend on the locale.
create function private.white_space() returns text
language sql immutable set search_path = '' as $$
  select E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
      || E'\u2028\u2029\u202f\u205f\u3000\ufeff'
$$;

create function private.clean_text(raw text, length_max integer) returns text
language plpgsql immutable set search_path = '' as $$
declare
  white    constant text := private.white_space();
  one_line constant text := regexp_replace(raw, E'\r\n|[\t\n\u000b\f\r\u0085\u2028\u2029]', ' ', 'g');
  harmless constant text := btrim(translate(btrim(one_line, white), '<>"''', ''), white);
begin
  return rtrim(left(harmless, length_max), white);
end
$$;

-- ICU changes letters to lower case as JavaScript does. The result of the database's own collation depends on its
-- locale.
create function private.clean_email(raw text) returns text
language sql immutable set search_path = '' as $$
  select private.clean_text(lower(raw collate "und-x-icu"), 160)
$$;

create function private.clean_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  white constant text := private.white_space();
begin
  new.name := private.clean_text(coalesce(new.name, ''), 120);
  new.company := private.clean_text(coalesce(new.company, ''), 160);
  new.email := private.clean_email(coalesce(new.email, ''));

  -- The words of content/messages.ts: whoever calls the data API directly reads the same as a visitor.
  if new.name = '' then
    raise exception using errcode = '23514', message = 'Please enter your name.';
  end if;
  if new.email !~ ('^[^@' || white || ']+@[^@' || white || ']+$') then
    raise exception using errcode = '23514', message = 'Please enter a valid email address.';
  end if;
  if new.interest is null or new.interest not in ('consulting', 'co-development', 'partnerships') then
    raise exception using errcode = '23514', message = 'Please select what you''re interested in.';
  end if;
  return new;
end
$$;
revoke all on all functions in schema private from public, anon, authenticated, service_role;

-- Triggers run in the order of their names, so this one cleans a contact before the next trigger compares it.
create trigger "1 clean the contact" before insert or update on public.contacts
  for each row execute function private.clean_contact();
