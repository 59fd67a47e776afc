-- One spelling of each email address, so that a person is limited, found, exported and erased as one, and no text is
-- walked before it is cut (docs/specification.md#cleaning).

-- What is not visible, beside control characters, for the inside of a regular expression's brackets: white space,
-- Unicode's Default_Ignorable_Code_Point with the marks that change the direction, interlinear annotations and the empty
-- Braille pattern.
create function private.invisible() returns text
language sql immutable return
  E'\t-\r \u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800'
  '\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff';

-- As before, but of a text far beyond its limit only the beginning is read.
create or replace function private.clean_text(raw text, length_max integer) returns text
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

-- A label of a domain in letters: `xn--mnchen-3ya` is münchen (RFC 3492, section 6.2). It stays as it is unless it stands
-- for visible lower-case letters in their normal form, which have no other label.
create function private.label_in_letters(label text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  encoded constant text := substr(label, 5);
  basic constant text := coalesce(substring(encoded from '^(.+)-'), '');
  letters text := basic;
  at integer := case basic when '' then 1 else length(basic) + 2 end;
  code integer := 128;
  position integer := 0;
  bias integer := 72;
  first integer;
  weight integer;
  digit integer;
  threshold integer;
  delta integer;
begin
  if label !~ '^xn--[a-z0-9-]{1,59}$' then
    return label;
  end if;
  while at <= length(encoded) loop
    first := position;
    weight := 1;
    for k in 1..60 loop
      digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(encoded, at, 1)) - 1;
      if digit < 0 or at > length(encoded) then
        return label;
      end if;
      at := at + 1;
      position := position + digit * weight;
      threshold := least(greatest(36 * k - bias, 1), 26);
      exit when digit < threshold;
      weight := weight * (36 - threshold);
    end loop;
    delta := (position - first) / case first when 0 then 700 else 2 end;
    delta := delta + delta / (length(letters) + 1);
    bias := 0;
    while delta > 455 loop
      delta := delta / 35;
      bias := bias + 36;
    end loop;
    bias := bias + 36 * delta / (delta + 38);
    code := code + position / (length(letters) + 1);
    position := position % (length(letters) + 1);
    letters := left(letters, position) || chr(code) || substr(letters, position + 1);
    position := position + 1;
  end loop;
  if letters ~ ('^[!-~]*$|[' || E'\u0080-\u009f' || private.invisible() || ']')
    or letters <> normalize(lower(letters collate "und-x-icu"), nfkc) then
    return label;
  end if;
  return letters;
exception when others then
  -- A number that is no letter, or too large for one.
  return label;
end
$$;

-- An address, a domain or a word of a search with the domain in letters. No domain has more than 253 characters.
create function private.domain_in_letters(address text) returns text
language sql immutable set search_path = '' as $$
  select case when strpos(domain, 'xn--') = 0 or length(domain) > 253 then address
    else left(address, length(address) - length(domain)) || (
      select string_agg(private.label_in_letters(label), '.' order by place)
      from unnest(string_to_array(domain, '.')) with ordinality as labels (label, place)
    )
  end
  from split_part(address, '@', -1) domain
$$;

-- ICU changes letters to lower case as JavaScript does; the result of the database's own collation depends on its locale.
create function private.clean_unusual_email(raw text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  visible constant text := coalesce(substring(
    raw from '[^' || private.invisible() || '](?:.*[^' || private.invisible() || '])?'
  ), '');
  address constant text := normalize(lower(visible collate "und-x-icu"), nfc);
begin
  return case when strpos(address, 'xn--') > 0 then private.domain_in_letters(address) else address end;
end
$$;

create or replace function private.clean_email(raw text) returns text
language sql immutable return case
  -- Too long for an address, and refused for it: what would be cut off may be visible.
  when octet_length(raw) > 4000 then left(raw, 1000)
  when raw ~ '^[!-~]+$' and raw !~* 'xn--' then lower(raw collate "C")
  else private.clean_unusual_email(raw)
end;

-- One `@` between two parts; no invisible and no control character, no `<`, `>` and `"`; at most 160 characters.
create or replace function private.is_contact_email(email text) returns boolean
language sql immutable return
  char_length(email) <= 160
  and email ~ '^[^@]+@[^@]+$'
  and email !~ (E'[<>"\u0001-\u001f\u007f-\u009f' || private.invisible() || ']');

-- As before, but an address that is stored is not cleaned again: cleaning would refuse a row from before these rules.
create or replace function private.clean_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  headers text;
  source json;
  told text;
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
  if tg_op = 'INSERT' or new.email is distinct from old.email then
    new.email := private.clean_email(coalesce(new.email, ''));
    if not private.is_contact_email(new.email) then
      raise exception using errcode = '23514', message = 'Please enter a valid email address.';
    end if;
  end if;
  if new.interest is null or new.interest not in ('consulting', 'co-development', 'partnerships') then
    raise exception using errcode = '23514', message = 'Please select what you''re interested in.';
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

-- A search takes the ASCII form of a domain as well, and no notice of what is invisible.
create or replace function private.contact_match(_search text) returns text
language sql stable set search_path = '' as $$
  select string_agg(
    case substring(found.word from '^(site|campaign|page):')
      when 'site' then format('c.referrer = %L', substr(found.word, 6))
      when 'campaign' then format('replace(c.campaign, '' '', ''+'') = %L', substr(found.word, 10))
      when 'page' then format('lower(c.first_page) = %L', substr(found.word, 6))
      else format(
        '%s like %L',
        private.contact_text_expression(),
        '%' || regexp_replace(
          private.text_without_accents(private.domain_in_letters(found.word)), '([\\%_])', '\\\1', 'g'
        ) || '%'
      )
    end,
    ' and '
  )
  from (
    select distinct word
    from regexp_split_to_table(lower(left(_search, 200) collate "und-x-icu"), '[' || private.invisible() || ']+') word
    where private.text_without_accents(word) <> ''
    limit 8
  ) found
$$;

revoke all on function
  private.invisible(), private.label_in_letters(text), private.domain_in_letters(text), private.clean_unusual_email(text)
  from public, anon, authenticated, service_role;

-- The contacts from before these rules. Their senders can no longer be asked, and an address with an invisible character
-- inside could neither be answered nor found, so that one is removed as well. What is wrong in another way stays.
update public.contacts c set email = cleaned.email
from (
  select id, private.clean_email(regexp_replace(o.email, '[' || private.invisible() || ']', '', 'g')) as email
  from public.contacts o where o.email ~ '[^!-~]|xn--'
) cleaned
where c.id = cleaned.id and c.email <> cleaned.email and private.is_contact_email(cleaned.email);
