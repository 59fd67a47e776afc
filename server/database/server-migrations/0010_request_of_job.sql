-- A job names the request that sent its contact, so that the log can be followed from the request to the mail.
create or replace function private.announce_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Mails that wait already come first (a lower number): the first contact is announced completely before the next.
  insert into private.jobs (task, payload, priority, attempts_max)
  values (
    'announce-contact',
    jsonb_strip_nulls(jsonb_build_object(
      'contact_id', new.id,
      -- Not read as JSON: headers that cannot be read must not refuse a contact. Quotation marks inside of a header are
      -- escaped, so that none can stand for this one.
      'request_id', substring(current_setting('request.headers', true) from '"x-request-id":"([A-Za-z0-9_-]+)"')
    )),
    10, 22
  );
  return null;
end
$$;
