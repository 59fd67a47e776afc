-- Notes for each password whether it was set after the address was confirmed. A password from before may be a
-- stranger's, because anyone can sign up with any address (docs/protocol.md#an-unproved-password). The time of existing
-- passwords is unknown, so they count as set before.
alter table auth.users add column password_set_after_confirmation boolean not null default false;

-- A trigger covers every statement that sets a password. An operator's new account gets its password and its confirmed
-- address in one statement, which counts as after. A later change keeps the note of the password before, because
-- whoever knows that password can sign in and change it. It becomes true only if the account had no password, or if the
-- statement itself says that the owner of the address chose the new one.
create function auth.note_password_set() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.password_set_after_confirmation := new.encrypted_password is not null and new.email_confirmed_at is not null
    and (tg_op = 'INSERT' or old.encrypted_password is null or new.password_set_after_confirmation);
  return new;
end
$$;
revoke all on function auth.note_password_set() from public;

create trigger "note when a password is set" before insert or update of encrypted_password on auth.users
  for each row execute function auth.note_password_set();
