/** The help text of `npm run admin`. It is printed if the command line is not valid. */
export const usage = `Usage:
  npm run admin -- create you@example.com [--admin] [--password-stdin]
      a confirmed account; --admin: it may read the contacts
  npm run admin -- invite you@example.com [--admin]
      a mail, and who follows it chooses a password
  npm run admin -- grant you@example.com [--new-password]
      may read the contacts from now on; a mail says so, or also asks for a
      new password
  npm run admin -- revoke you@example.com
      may not any more
  npm run admin -- list
      who may
  npm run admin -- reset-password you@example.com [--password-stdin]
      a new password; logs out everywhere
  npm run admin -- reset-mfa you@example.com
      removes the second factor; logs out everywhere
  npm run admin -- export you@example.com [--output FILE]
      everything the database holds on the address, as JSON
  npm run admin -- delete you@example.com [--yes] [--last-admin]
      deletes the account; contacts stay
  npm run admin -- erase you@example.com [--yes] [--last-admin]
      deletes everything on the address for good
  npm run admin -- rotate-keys [--now] [--yes]
      a new key signs tokens; --now, after a leak: the old one and all sessions
      end at once
  npm run admin -- send-test you@example.com
      one mail, and what the mail server answers
  npm run admin -- database-setup [--run]
      the SQL that prepares the PostgreSQL of DATABASE_URL, to be run once as
      superuser; --run: runs it, as SUPERUSER_DATABASE_URL`;
