-- The source of a contact in the trigger that cleans the contact, and without check constraints: a trigger of its own and
-- three of these took PostgreSQL as long as a tenth of a contact (docs/decisions/contact-rules-in-two-triggers.md). No
-- caller but the owner and service_role may write these columns; what comes beside a contact is cut.
alter table public.contacts
  drop constraint contacts_referrer_check,
  drop constraint contacts_campaign_check,
  drop constraint contacts_first_page_check;
drop trigger "3 add the source" on public.contacts;
drop function private.add_source();

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
  new.email := private.clean_email(coalesce(new.email, ''));
  if new.email is distinct from old.email and not private.is_contact_email(new.email) then
    raise exception using errcode = '23514', message = 'Please enter a valid email address.';
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
