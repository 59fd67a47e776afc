import { randomBytes } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { grantAdminRole } from "#backend/auth/admin-roles";
import { createConfirmedAccount, hashCredentials, resetPassword } from "#backend/auth/operator-accounts";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { inTransaction } from "#backend/database/transaction";
import { isLoopbackHost } from "#backend/http/ip-address";
import {
  createDemoContacts,
  type DemoContact,
  demoAdmin,
  demoIdPrefix,
  demoSources,
} from "#operations/demo/demo-contacts";
import { StartError } from "#process/start-error";
import { removeJobsAboutContacts } from "#server/jobs/queue";
import { readSettings, type Settings } from "#server/settings";
import { nameDatabase, requireOwnAccounts, withDatabase } from "../open-for-command.ts";
import { command } from "../terminal.ts";

const usage = `Usage:
  npm run demo
      fills the inbox with invented contacts, and makes a login
  npm run demo -- --remove
      removes both`;

export const runDemo = command(
  { usage, options: { remove: { type: "boolean", default: false } } },
  async ({ values: { remove } }, { environment, print, printNote }, shutdown) => {
    const settings = readSettings(environment);
    printNote(`Database: ${nameDatabase(settings)}`);
    if (!remove && !isLoopbackHost(new URL(settings.siteUrl).hostname)) {
      throw new StartError(`SITE_URL is ${settings.siteUrl}, and the demo is only for a site of this machine.`);
    }
    const text = await withDatabase(settings, shutdown, { mustExist: remove }, async ({ owner }) => {
      await requireOwnAccounts(owner);
      return remove ? removeDemo(owner) : fillDatabase(owner, settings);
    });
    print(text);
  },
);

function removeDemo(owner: Pool): Promise<string> {
  return inTransaction(owner, async (db) => {
    const removed = await removeContacts(db);
    const { rowCount } = await db.query("delete from auth.users where email = $1", [demoAdmin]);
    if (removed + (rowCount ?? 0) === 0) return "There is no demo in this database.";
    return `Removed ${removed} invented contacts${rowCount ? ` and the login ${demoAdmin}` : ""}.`;
  });
}

const columns =
  "id, name, company, email, interest, submitted_at, state, state_changed_at, handled_by, handled_by_since, note, spam_reason, referrer, campaign, first_page";

async function fillDatabase(owner: Pool, { siteUrl, passwordCharactersMin: charactersMin }: Settings): Promise<string> {
  await refuseRealContacts(owner);
  const password = randomBytes(36).toString("hex").slice(0, Math.max(20, charactersMin));
  const credentials = await hashCredentials(
    { email: demoAdmin, password },
    { hasher: passwordHasher(), charactersMin },
  );
  const contacts = createDemoContacts(new Date());
  await inTransaction(owner, async (db) => {
    await removeContacts(db);
    const account = (await resetPassword(db, credentials)) ?? (await createConfirmedAccount(db, credentials));
    await grantAdminRole(db, account.id);
    const rows = contacts.map((contact) => ({ ...contact, handled_by: contact.handled_by_since && account.id }));
    await db.query(
      `insert into public.contacts (${columns}) select ${columns} from jsonb_populate_recordset(null::public.contacts, $1)`,
      [JSON.stringify(rows)],
    );
    await db.query(visits, [JSON.stringify(demoSources)]);
    // No mail announces them.
    const ids = contacts.map(({ id }) => id);
    await removeJobsAboutContacts(db, ids);
  });
  return describe(contacts, { siteUrl, password });
}

/** Each source has more visits than the next, and all together grow. The ending of their hosts marks them. */
const visits = `
  insert into private.visits
  select current_date - n, s ->> 'first_page', s ->> 'referrer', s ->> 'campaign',
    (200 - n) / (5 * place) + 1
  from generate_series(0, 181) n, jsonb_array_elements($1::jsonb) with ordinality as sources (s, place)`;

/**
 * A contact counts as real unless it is the demo's own or its address is reserved for examples (RFC 2606), as those are
 * that a developer types into the form.
 */
async function refuseRealContacts(owner: Pool) {
  const { rowCount } = await owner.query(
    `select from public.contacts
     where not starts_with(id::text, $1)
       and email !~ '[@.](example|test|invalid|localhost|example[.](com|net|org))$' limit 1`,
    [demoIdPrefix],
  );
  if (rowCount === 0) return;
  throw new StartError(
    "This database holds real contacts, so the demo was not added. For a database of its own: DATA_DIR=.demo npm run demo, then DATA_DIR=.demo npm start.",
  );
}

async function removeContacts(db: ClientBase): Promise<number> {
  const { rowCount } = await db.query("delete from public.contacts where starts_with(id::text, $1)", [demoIdPrefix]);
  await db.query("delete from private.visits where referrer like '%.example'");
  return rowCount ?? 0;
}

function describe(contacts: readonly DemoContact[], { siteUrl, password }: { siteUrl: string; password: string }) {
  const spam = contacts.filter(({ state }) => state === "spam").length;
  return [
    "",
    `  ${contacts.length} contacts from half a year are now in the database, ${spam} of them spam. No emails were sent.`,
    "",
    `  To look at them: npm start (unless it runs already), then log in at ${siteUrl}/admin/contacts`,
    "  or at the same path of the address that npm start prints, if that is another.",
    `    Email     ${demoAdmin}`,
    `    Password  ${password}`,
    "",
    "  The password is shown only here. `npm run demo` makes a new one, and fills the inbox again.",
    "  Before the site goes live, `npm run demo -- --remove` removes these contacts and this login.",
    "",
  ].join("\n");
}
