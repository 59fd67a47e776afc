import { requirePassword } from "#backend/database/caller-login";
import { describeConnection } from "#backend/database/client";
import { connect } from "#backend/database/connections";
import { setupStatements } from "#backend/database/setup-statements";
import { CommandError } from "#operations/commands/report-problem";
import type { CommandInput } from "./command.ts";

/** Prints the statements that prepare a PostgreSQL for this site. It works before the database and its owner exist. */
export async function databaseSetup({ settings: { databaseUrl }, note }: Pick<CommandInput, "settings" | "note">) {
  if (databaseUrl === undefined) {
    throw new CommandError(
      "DATABASE_URL is not set. Set it to the address that the site should use, with a password that you make up: postgres://fernway:PASSWORD@host:5432/fernway",
    );
  }
  note(`Database: ${describeConnection(databaseUrl)}`);
  const { options } = connect(databaseUrl, { warn() {} }).owner;
  const { user = "", database = "", host, port } = options;
  return [
    `-- Prepares the PostgreSQL at ${host}:${port} for the site. Run it once as a superuser, or as the administrator of a managed`,
    "-- service: npm run admin --silent -- database-setup | psql -d postgres",
    "-- It may be run again. It shows no passwords, only their hashes.",
    "\\set ON_ERROR_STOP on",
    "",
    setupStatements({ owner: user, password: requirePassword(options), database }).join("\n\n"),
  ].join("\n");
}
