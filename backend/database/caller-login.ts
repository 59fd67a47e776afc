import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { type ClientBase, escapeLiteral, type Pool } from "pg";
import { StartError } from "#process/start-error";
import { Client } from "./client.ts";

/** The callers' login of a PostgreSQL on which the migrations made the roles. All its databases share this login. */
export const sharedCallerLogin = "authenticator";

/** The callers' login that `npm run admin -- database-setup` makes for one site. */
export function ownCallerLogin(ownerName: string): string {
  return `${ownerName}_authenticator`;
}

/** The name of the callers' login that database-setup made for the owner of this connection, if it was run. */
export async function findOwnCallerLogin(db: Pick<Pool | ClientBase, "query">): Promise<string | undefined> {
  const { rows } = await db.query("select rolname from pg_catalog.pg_roles where rolname = current_user || $1", [
    ownCallerLogin(""),
  ]);
  return rows[0]?.rolname;
}

/** Lets `caller` log in as the site's own login, if database-setup made one. It must not have connected before. */
export async function chooseCallerLogin({ owner, caller }: { owner: Pool; caller: Pool }): Promise<void> {
  caller.options.user = (await findOwnCallerLogin(owner)) ?? sharedCallerLogin;
}

/** No password can be derived for a connection that takes its own from elsewhere, such as `.pgpass`. */
export function requirePassword({ password }: { password?: unknown }): string {
  if (typeof password === "string" && password) return password;
  throw new StartError(
    "DATABASE_URL must contain the user's password: that of the login for requests is derived from it.",
  );
}

/**
 * The password of the callers' login. Each server derives it from the owner's password, so it is stored nowhere. The
 * owner's password cannot be computed from it.
 */
export function authenticatorPassword(ownerPassword: string): string {
  return createHmac("sha256", ownerPassword).update("authenticator").digest("base64url");
}

/**
 * Makes sure that the callers' login works with the derived password. The server may change the password of
 * `authenticator`, which all databases of one PostgreSQL share: if the servers of two databases set it at the same time,
 * one of them fails. It may not change that of a login of database-setup.
 */
export async function ensureAuthenticatorLogin(owner: Pool, db: ClientBase): Promise<void> {
  const password = authenticatorPassword(String(owner.options.password));
  const ownLogin = await findOwnCallerLogin(db);
  if (await canLogIn({ ...owner.options, user: ownLogin ?? sharedCallerLogin, password })) return;
  if (ownLogin !== undefined) {
    throw new StartError(
      `The login ${ownLogin} refuses the password that is derived from the one in DATABASE_URL. Run \`npm run admin -- database-setup\` again; a pooler in between must know that login, too (docs/postgresql.md#a-pooler-in-between).`,
    );
  }
  const verifier = escapeLiteral(scramVerifier(sharedCallerLogin, password));
  await db.query(`alter role ${sharedCallerLogin} login password ${verifier}`);
}

async function canLogIn(options: Pool["options"]): Promise<boolean> {
  const client = new Client(options);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // PgBouncer reports every failed login as a violation of the protocol.
    const { code } = error as { code?: string };
    if (code?.startsWith("28") || code === "08P01") return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** As many as PostgreSQL itself takes (`scram_iterations`). */
const iterations = 4096;

/**
 * The form in which PostgreSQL stores a password (RFC 5803), so that a statement with it, and a log of statements, does
 * not show the password. The salt follows from login and password, so the same password gives the same text again, and
 * the copy of it that a pooler may have stays valid. Computing the salt is slow too, so that guessing gets no faster.
 */
export function scramVerifier(login: string, password: string): string {
  // RFC 5802 wants SASLprep, of which pg and PostgreSQL do the normalization.
  const normal = password.normalize("NFKC");
  const salt = pbkdf2Sync(normal, `salt of ${login}`, iterations, 16, "sha256");
  const salted = pbkdf2Sync(normal, salt, iterations, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(hmac("Client Key")).digest("base64");
  const serverKey = hmac("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
