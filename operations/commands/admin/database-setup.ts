import { chooseCallerLogin, requirePassword } from "#backend/database/caller-login";
import { createClient, describeConnection } from "#backend/database/client";
import { type Connections, connect } from "#backend/database/connections";
import { describeConnectionError } from "#backend/database/database-url";
import { setupStatements } from "#backend/database/setup-statements";
import { StartError } from "#process/start-error";
import type { CommandInput } from "./command.ts";

/**
 * Prints the statements that prepare a PostgreSQL for this site, or runs them. It works before the database and its
 * owner exist. The address of the superuser is a setting and not an argument, because arguments are seen by others.
 */
export async function databaseSetup({
  settings: { databaseUrl, superuserDatabaseUrl },
  given: { run },
  note,
}: Pick<CommandInput, "settings" | "given" | "note">): Promise<string> {
  if (databaseUrl === undefined) {
    throw new StartError(
      "DATABASE_URL is not set. Set it to the address that the site should use, with a password that you make up: postgres://fernway:PASSWORD@host:5432/fernway",
    );
  }
  note(`Database: ${describeConnection(databaseUrl)}`);
  const connections = connect(databaseUrl, { warn() {} });
  const { options } = connections.owner;
  const { user = "", database = "", host, port } = options;
  const statements = setupStatements({ owner: user, password: requirePassword(options), database });
  if (!run)
    return [
      `-- Prepares the PostgreSQL at ${host}:${port} for the site. Run it once as a superuser, or as the administrator of a managed`,
      "-- service: npm run admin --silent -- database-setup | psql -d postgres",
      "-- It may be run again. It shows no passwords, only their hashes.",
      "\\set ON_ERROR_STOP on",
      "",
      statements.join("\n\n"),
    ].join("\n");

  if (superuserDatabaseUrl === undefined) {
    throw new StartError(
      "--run needs SUPERUSER_DATABASE_URL: the same PostgreSQL, as a user that may create roles and databases.",
    );
  }
  await runStatements(statements, superuserDatabaseUrl);
  await tryLogins(connections);
  return [
    `The PostgreSQL at ${host}:${port} is ready for the site: the database ${database}, and two logins without any right beyond it.`,
    "The server needs DATABASE_URL only. Do not leave SUPERUSER_DATABASE_URL in its settings.",
  ].join("\n");
}

/** The command of psql after a query whose result is the statements to run. */
const yieldsStatements = "\\gexec";

async function runStatements(statements: readonly string[], superuserDatabaseUrl: string): Promise<void> {
  const client = createClient(superuserDatabaseUrl, "SUPERUSER_DATABASE_URL");
  await client.connect().catch((error: unknown) => {
    throw new StartError(`The PostgreSQL of SUPERUSER_DATABASE_URL cannot be used: ${describeConnectionError(error)}`);
  });
  try {
    for (const statement of statements) {
      if (!statement.endsWith(yieldsStatements)) await client.query(statement);
      else {
        const text = statement.slice(0, -yieldsStatements.length);
        const { rows } = await client.query<string[]>({ text, rowMode: "array" });
        for (const [yielded = ""] of rows) await client.query(yielded);
      }
    }
  } catch (error) {
    throw new StartError(`PostgreSQL refused, and nothing more was done: ${(error as Error).message}`);
  } finally {
    await client.end();
  }
}

/** The owner may have been there with another password, and `pg_hba.conf` may refuse either login. */
async function tryLogins(connections: Connections): Promise<void> {
  try {
    await chooseCallerLogin(connections);
    await connections.caller.query("select");
  } catch (error) {
    throw new StartError(`Everything is set up, but DATABASE_URL cannot be used: ${describeConnectionError(error)}`);
  } finally {
    await connections.close();
  }
}
