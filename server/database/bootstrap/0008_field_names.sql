-- Gives the tables and columns for the limits of requests their usual names: rate limit, cooldown, known device,
-- attempt. Nothing is dropped, so every row stays.

-- The constraints are renamed in a loop over those that exist, because only PostgreSQL 18 and later have named "not
-- null" constraints.
do $$
declare
  stale record;
begin
  for stale in
    select c.conrelid::regclass as "table", c.conname as name,
           replace(replace(c.conname, words.before, words.after), 'place_hash', 'value_hash') as new_name
    from pg_catalog.pg_constraint c
    join (values
      ('auth.buckets', 'buckets', 'rate_limits'),
      ('auth.mail_marks', 'mail_marks', 'mail_cooldowns'),
      ('auth.familiar_places', 'familiar_places', 'known_devices'),
      ('auth.one_time_tokens', 'code_tries_left', 'code_attempts_left')
    ) as words ("table", before, after) on c.conrelid = words."table"::regclass
    where c.conname like '%' || words.before || '%'
  loop
    execute format('alter table %s rename constraint %I to %I', stale."table", stale.name, stale.new_name);
  end loop;
end
$$;

alter table auth.buckets rename to rate_limits;
alter index auth.buckets_full_at_idx rename to rate_limits_full_at_idx;

alter table auth.mail_marks rename to mail_cooldowns;
alter index auth.mail_marks_asked_at_idx rename to mail_cooldowns_asked_at_idx;

alter table auth.familiar_places rename to known_devices;
-- The hash of a network or of a device's name; `kind` says which.
alter table auth.known_devices rename column place_hash to value_hash;
alter index auth.familiar_places_seen_at_idx rename to known_devices_seen_at_idx;

alter table auth.one_time_tokens rename column code_tries_left to code_attempts_left;
