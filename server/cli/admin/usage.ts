/** The help text of `npm run admin`. It is printed if the command line is not valid. */
export const usage = `Usage:
  npm run admin -- create you@example.com [--admin] [--password-stdin]
      creates a confirmed account; --admin: it may read the contacts
  npm run admin -- invite you@example.com [--admin]
      sends an invitation, with a link to choose a password
  npm run admin -- grant you@example.com [--new-password]
      lets the account read the contacts; an email says so, and with
      --new-password also asks for a new password
  npm run admin -- revoke you@example.com
      the account may no longer read the contacts
  npm run admin -- list
      lists who may read the contacts
  npm run admin -- reset-password you@example.com [--password-stdin]
      sets a new password; logs out everywhere
  npm run admin -- reset-mfa you@example.com
      removes the second factor; logs out everywhere
  npm run admin -- export you@example.com [--output FILE]
      everything the database holds about the address, as JSON
  npm run admin -- delete you@example.com [--yes] [--last-admin]
      deletes the account; contacts stay
  npm run admin -- erase you@example.com [--yes] [--last-admin]
      deletes everything about the address for good
  npm run admin -- rotate-keys [--now] [--yes]
      signs tokens with a new key; --now (after a leak) ends the old key and all
      sessions at once
  npm run admin -- send-test you@example.com
      sends one email and prints the mail server's answer
  npm run admin -- database-setup [--run]
      the SQL that prepares the PostgreSQL of DATABASE_URL, to be run once as
      superuser; --run: runs it, as SUPERUSER_DATABASE_URL`;
