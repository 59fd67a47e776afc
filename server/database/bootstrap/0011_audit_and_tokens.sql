-- Two indexes for the audit list of an administrator. It shows what accounts have done entry by entry, and counts what
-- anyone can cause without an account, such as failed sign-ins: a flood of these must neither hide an entry nor make the
-- list slow. The conditions are those of `server/auth/audit-log.ts`.
create index audit_log_entries_events_idx on auth.audit_log_entries (created_at)
  where not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null)
    and payload ->> 'action' not in ('login_failed', 'user_confirmation_requested', 'user_repeated_signup',
                                     'user_recovery_requested', 'verification_attempted');
create index audit_log_entries_attempts_idx on auth.audit_log_entries (created_at)
  where payload ->> 'action' in ('login_failed', 'user_confirmation_requested', 'user_repeated_signup',
                                 'user_recovery_requested', 'verification_attempted');

drop index auth.audit_log_entries_noteworthy_idx;
