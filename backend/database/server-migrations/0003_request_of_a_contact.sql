-- Finds the id of the request without a regular expression over all headers, which took PostgreSQL as long as cleaning the
-- contact.
create or replace function private.announce_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.jobs (task, payload, lane, attempts_max)
  values (
    'announce-contact',
    jsonb_strip_nulls(jsonb_build_object(
      'contact_id', new.id,
      -- The request that sent the contact, so that the log can be followed from there to the mail. Not read as JSON:
      -- headers that cannot be read must not refuse a contact. Quotation marks inside of a header are escaped, so that
      -- none can stand for this one.
      'request_id', substring(
        split_part(current_setting('request.headers', true), '"x-request-id":"', 2) from '^[A-Za-z0-9_-]+'
      )
    )),
    'announce', 22
  );
  return null;
end
$$;
