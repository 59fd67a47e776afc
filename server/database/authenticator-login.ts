import { type ClientBase, escapeLiteral, type Pool } from "pg";
import { Client } from "./client.ts";
import { authenticatorPassword } from "./connections.ts";

/**
 * Lets `authenticator` log in with the password that `connect` derives. It is set only when it does not work yet:
 * setting it is a change to the whole cluster, which two databases cannot make at the same moment.
 */
export async function ensureAuthenticatorLogin(owner: Pool, db: ClientBase): Promise<void> {
  const password = authenticatorPassword(String(owner.options.password));
  if (await logsIn({ ...owner.options, user: "authenticator", password })) return;
  await db.query(`alter role authenticator login password ${escapeLiteral(password)}`);
}

async function logsIn(options: Pool["options"]): Promise<boolean> {
  const client = new Client(options);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith("28")) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
