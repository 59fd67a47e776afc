import { readFileSync } from "node:fs";
import { escapeIdentifier, escapeLiteral } from "pg";
import { StartError } from "#process/start-error";
import { authenticatorPassword, ownCallerLogin, scramVerifier } from "./caller-login.ts";

interface Site {
  owner: string;
  password: string;
  database: string;
}

/**
 * The statements that prepare a PostgreSQL (15 to 18) for one site, each with a comment for the operator who reads it. One
 * that ends with `\gexec`, as for psql, is a query whose result is the statements to run. They are for a superuser, or for a
 * user with CREATEROLE and CREATEDB, as managed services have one. They may be run again, for example after a new password
 * of the owner. They refuse to go on where a role or the database exists with other rights or another owner.
 *
 * Each site has its own callers' login, with a password derived from that of its owner. The roles without login are
 * shared by all databases of the PostgreSQL; a role has rights only in the database that grants them.
 */
export function setupStatements({ owner, password, database }: Site): string[] {
  const caller = ownCallerLogin(owner);
  refuseNames({ owner, caller, database });
  const values: Record<string, string> = {
    ...{ owner, caller, database },
    ownerHash: scramVerifier(owner, password),
    callerHash: scramVerifier(caller, authenticatorPassword(password)),
  };
  const statements = readFileSync(new URL("./setup.sql", import.meta.url), "utf8")
    .trim()
    .split("\n\n");
  // As variables of psql: `:'name'` is the value as text, and `:"name"` as the name of something.
  return statements.map((statement) =>
    statement.replace(/:(['"])(\w+)\1/g, (_, quote: string, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`There is no value for ${name}.`);
      return quote === "'" ? escapeLiteral(value) : escapeIdentifier(value);
    }),
  );
}

/** PostgreSQL cuts off longer names. */
const nameBytesMax = 63;

/** It ends the quoted block of the statements. */
const blockQuote = "$setup$";

function refuseNames({ owner, caller, database }: { owner: string; caller: string; database: string }) {
  for (const [what, name] of [
    ["user name", caller],
    ["name of the database", database],
  ] as const) {
    if (Buffer.byteLength(name) > nameBytesMax)
      throw new StartError(`The ${what} in DATABASE_URL is too long: ${name} has more than ${nameBytesMax} bytes.`);
    if (name.includes(blockQuote)) throw new StartError(`The ${what} in DATABASE_URL may not contain ${blockQuote}.`);
  }
  if (/^(anon|authenticated|service_role|authenticator)$|_authenticator$/.test(owner)) {
    throw new StartError(
      `The user ${owner} in DATABASE_URL has a name that is kept for the logins of requests. It would own the tables, and policies do not bind an owner: name another user.`,
    );
  }
}
