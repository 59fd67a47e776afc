import { randomInt } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import { grantAdminRole } from "#server/auth/admin-roles";
import { createConfirmedAccount, hashCredentials, resetPassword } from "#server/auth/operator-accounts";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { inTransaction } from "#server/database/transaction";
import { isLoopbackHost } from "#server/http/ip-address";
import { readSettings, type Settings } from "#server/settings";
import { requireOwnAccounts } from "../admin/own-accounts.ts";
import { nameDatabase, openForCommand } from "../open-for-command.ts";
import { CommandError } from "../report-problem.ts";
import { runInTerminal, type Terminal } from "../terminal.ts";
import { createDemoContacts, type DemoContact, demoIdPrefix } from "./demo-contacts.ts";

/** The domain is reserved for examples (RFC 2606), so the address is no real person's. */
const demoAdmin = "admin@demo.example";

/** Fills the database of the settings with the demo, and resolves with the exit code. Never rejects. */
export function runDemo(terminal: Partial<Terminal> = {}): Promise<number> {
  return runInTerminal(terminal, async ({ environment, print, printNote }) => {
    const settings = readSettings(environment);
    printNote(`Database: ${nameDatabase(settings)}`);
    print(await fillDatabase(settings));
  });
}

async function fillDatabase(settings: Settings): Promise<string> {
  const { siteUrl, passwordCharactersMin } = settings;
  if (!isLoopbackHost(new URL(siteUrl).hostname)) {
    throw new CommandError(`SITE_URL is ${siteUrl}, and the demo is only for a site of this machine.`);
  }
  const password = newPassword(passwordCharactersMin);
  const database = await openForCommand(settings);
  try {
    await requireOwnAccounts(database.owner);
    await refuseRealContacts(database.owner);
    const credentials = await hashCredentials(
      { email: demoAdmin, password },
      { hasher: passwordHasher(), charactersMin: passwordCharactersMin },
    );
    const contacts = createDemoContacts(new Date());
    await inTransaction(database.owner, async (db) => {
      await replaceContacts(db, contacts);
      const account = (await resetPassword(db, credentials)) ?? (await createConfirmedAccount(db, credentials));
      await grantAdminRole(db, account.id);
    });
    return describe(contacts, { siteUrl, password });
  } finally {
    await database.close();
  }
}

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
  throw new CommandError(
    "This database holds real contacts, so the demo was not added. For a database of its own: DATA_DIR=.demo npm run demo, then DATA_DIR=.demo npm start.",
  );
}

/** Replaces the contacts of an earlier demo. No mail announces the new ones. */
async function replaceContacts(db: ClientBase, contacts: readonly DemoContact[]) {
  await db.query("delete from public.contacts where starts_with(id::text, $1)", [demoIdPrefix]);
  const columns = "id, name, company, email, interest, submitted_at, state, state_changed_at, note, spam_reason";
  await db.query(
    `insert into public.contacts (${columns}) select ${columns} from jsonb_populate_recordset(null::public.contacts, $1)`,
    [JSON.stringify(contacts)],
  );
  await db.query("delete from private.jobs where starts_with(payload ->> 'contact_id', $1)", [demoIdPrefix]);
}

/** A password that can be read aloud and typed: groups of letters and digits that look like no others. */
function newPassword(charactersMin: number): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  const groups = Math.max(4, Math.ceil((charactersMin + 1) / 6));
  return Array.from({ length: groups }, group).join("-");
}

function describe(contacts: readonly DemoContact[], { siteUrl, password }: { siteUrl: string; password: string }) {
  const spam = contacts.filter(({ state }) => state === "spam").length;
  return [
    "",
    `  ${contacts.length} contacts from half a year are now in the database, ${spam} of them spam. No emails were sent.`,
    "",
    `  To look at them: npm start (unless it runs already), then log in at ${siteUrl}/admin/contacts`,
    `    Email     ${demoAdmin}`,
    `    Password  ${password}`,
    "",
    "  The password is shown only here. `npm run demo` makes a new one, and fills the inbox again.",
    "",
  ].join("\n");
}
