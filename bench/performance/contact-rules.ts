import { join } from "node:path";
import { authenticatorPassword } from "#server/database/caller-login";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { openDatabase } from "#server/database/open-database";
import { bareInsert, createBareTable, insertInto, pgbench } from "./pgbench.ts";
import { compare } from "./row.ts";
import { alternate, type Run } from "./run.ts";

/**
 * A visitor's transaction as the server runs it (docs/protocol.md#transaction-settings). Each comes from another public
 * network, so that no limit applies.
 */
const insertAsVisitor = `\\set a random(11, 99)
\\set b random(0, 255)
\\set c random(0, 255)
\\set d random(1, 254)
begin;
select set_config('search_path', 'public, extensions', true), set_config('statement_timeout', '3s', true),
       set_config('role', 'anon', true), set_config('request.jwt.claims', '{"role":"anon"}', true),
       set_config('request.method', 'POST', true), set_config('request.path', '/contacts', true),
       set_config('request.headers', '{"x-forwarded-for":":a.:b.:c.:d"}', true), set_config('timezone', 'UTC', true);
${insertInto("public.contacts")}commit;
`;

/** What do the rules of a contact cost in the database? All of them, the announcement included, without the server. */
export async function contactRules(run: Run) {
  const dataDir = join(run.folder, "data");
  const database = await openDatabase({ dataDir }, { info() {}, warn() {}, error: console.error });
  try {
    const { owner } = database;
    const ownerConnection = await embeddedConnection(dataDir);
    const password = authenticatorPassword(ownerConnection.password);
    const caller = { ...ownerConnection, user: "authenticator", password };
    await owner.query(createBareTable);

    const figures = await alternate(run, {
      async "all rules"(seconds) {
        await owner.query("alter table public.contacts enable trigger user");
        return pgbench(run, caller, insertAsVisitor, seconds);
      },
      async "no rules"(seconds) {
        await owner.query("alter table public.contacts disable trigger user");
        return pgbench(run, caller, insertAsVisitor, seconds);
      },
      "bare insert": (seconds) => pgbench(run, ownerConnection, bareInsert, seconds),
    });
    const { rows } = await owner.query("select count(*)::int as spam from contacts where spam_reason is not null");
    if (rows[0].spam > 0) throw new Error(`${rows[0].spam} contacts were filed as spam, so a limit was measured.`);

    const ours = figures["all rules"];
    return [
      compare({
        question: "contact in the database, all rules",
        unit: "/s",
        ours,
        rival: { name: "the same caller without rules", figures: figures["no rules"] },
        goal: { ratioAtLeast: 0.45 },
      }),
      compare({
        question: "contact in the database, all rules",
        unit: "/s",
        ours,
        rival: { name: "bare insert by the owner", figures: figures["bare insert"] },
      }),
    ];
  } finally {
    await database.close();
  }
}
