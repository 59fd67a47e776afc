/**
 * Tells in a sentence that PostgreSQL's clock may have jumped: the job of the daily removal was added when the removal before
 * had ended. A clock two years ahead would remove all contacts. Their own times prove nothing: a quiet site gets one a year.
 */
export const clockJump = `
  select format('The daily removal last ran on %s, and the clock of the database says %s', created_at::date, now()::date) as jump
  from private.jobs where task = 'remove-expired-contacts' and created_at < now() - interval '14 days'`;
