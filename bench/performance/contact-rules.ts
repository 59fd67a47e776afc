import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { authenticatorPassword } from "#backend/database/caller-login";
import { embeddedConnection, type OwnerConnection } from "#backend/database/embedded/embedded-postgres";
import { openDatabase } from "#backend/database/open-database";
import { silentLog } from "#tests/support/silent-log";
import { compareSides, type Run } from "./comparison.ts";
import { connections, runProgram } from "./programs.ts";

/** A random visitor's contact, as pgbench reads it. Nothing in it needs cleaning, as with nearly all contacts. */
const insertInto = (table: string) => `\\set visitor random(1, 1000000000000)
insert into ${table} (name, company, email, interest)
values ('Ada Heron', 'Heron and Daughters', 'visitor-:visitor@bench.example', 'consulting');
`;

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

const question = "contact in the database, all rules";

/** What do the rules of a contact cost in the database? All of them, the announcement included, without the server. */
export async function contactRules(run: Run) {
  const dataDir = join(run.folder, "data");
  const database = await openDatabase({ dataDir }, silentLog);
  try {
    const { owner } = database;
    const ownerConnection = await embeddedConnection(dataDir);
    const password = authenticatorPassword(ownerConnection.password);
    const caller = { ...ownerConnection, user: "authenticator", password };
    // The same columns and indexes without triggers and rights.
    await owner.query(
      "create table bare_contacts (like public.contacts including defaults including generated including indexes)",
    );

    const withTriggers = (state: "enable" | "disable") => async (seconds: number) => {
      await owner.query(`alter table public.contacts ${state} trigger user`);
      return pgbench(run, caller, insertAsVisitor, seconds);
    };
    const sides = {
      [question]: withTriggers("enable"),
      "the same caller without rules": withTriggers("disable"),
      "bare insert by the owner": (seconds: number) =>
        pgbench(run, ownerConnection, insertInto("bare_contacts"), seconds),
    };
    const rows = await compareSides(run, sides, [
      { question, rival: "the same caller without rules", goal: { ratioAtLeast: 0.45 } },
      { question, rival: "bare insert by the owner" },
    ]);
    const { rowCount } = await owner.query("select from contacts where spam_reason is not null");
    if (rowCount) throw new Error(`${rowCount} contacts were filed as spam, so a limit was measured.`);
    return rows;
  } finally {
    await database.close();
  }
}

/** Runs a script on 16 connections and resolves with the transactions per second. Rejects if a transaction fails. */
async function pgbench(run: Run, connection: OwnerConnection, script: string, seconds: number) {
  const file = join(run.folder, `${randomUUID()}.sql`);
  await writeFile(file, script);
  const { host, port, user, password, database } = connection;
  const options = ["--no-vacuum", "--client", `${connections}`, "--time", `${seconds}`, "--file", file];
  const address = ["--host", host, "--port", `${port}`, "--username", user, database];
  const printed = await runProgram(run, ["pgbench", ...options, ...address], { PGPASSWORD: password });
  const failed = /number of failed transactions: (?!0 ).*/.exec(printed)?.[0];
  if (failed) throw new Error(`pgbench: ${failed}`);
  return { perSecond: Number(/tps = ([\d.]+)/.exec(printed)?.[1]) };
}
