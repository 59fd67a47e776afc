-- Stops older servers
-- A factor that waits for its first code belongs to the session that added it, so that a thief of the password cannot
-- hinder the owner's enrolment from another session. A verified factor belongs to the account alone.
delete from auth.mfa_factors where status = 'unverified';

alter table auth.mfa_factors
  -- No foreign key, because sessions refer to factors, and a restore cannot load a circle of tables. Once the session has
  -- ended, no request reaches the factor, and it is removed after five minutes.
  add column session_id uuid,
  add constraint mfa_factors_session_id_check check ((status = 'verified') = (session_id is null));

drop index auth.mfa_factors_user_id_friendly_name_key;
create unique index mfa_factors_user_id_friendly_name_key
  on auth.mfa_factors (user_id, friendly_name, session_id) nulls not distinct;
