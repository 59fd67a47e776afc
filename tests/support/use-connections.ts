/**
 * This process uses both connection pools of the server and prints the outcome of each use. A test checks whether a
 * lost connection ends the process. The argument of the process is the port of PostgreSQL.
 */
import { asCaller } from "#server/database/as-caller";
import { ensureAuthenticatorLogin } from "#server/database/caller-login";
import { connect, separatePool } from "#server/database/connections";
import { takeServerLock } from "#server/database/embedded/server-lock";
import { inTransaction } from "#server/database/transaction";
import { silent } from "./silent.ts";

const connection = { host: "127.0.0.1", port: Number(process.argv[2]), user: "owner", password: "x", database: "site" };
const { owner, caller, close } = connect(connection, silent);
// Wait only a short time for a working connection, because the test's PostgreSQL ends every connection.
for (const pool of [owner, caller]) pool.options.connectionTimeoutMillis = 200;
const further = separatePool(owner, { max: 1 });

const uses: Record<string, () => Promise<unknown>> = {
  transaction: () => inTransaction(owner, (db) => db.query("select")),
  caller: () => asCaller(caller, { role: "anon" }, (db) => db.query("select")),
  statement: () => owner.query("select"),
  "further pool": () => further.query("select"),
  lock: () => takeServerLock(connection, "these data"),
  async login() {
    const db = await owner.connect();
    await ensureAuthenticatorLogin(owner, db).finally(() => db.release(true));
  },
};
for (const [name, use] of Object.entries(uses)) {
  const outcome = await use().then(
    () => "done",
    (error: Error) => `failed: ${error.message}`,
  );
  // The event of a lost connection may follow the outcome, and the process must survive that event.
  await new Promise(setImmediate);
  process.stdout.write(`${name} ${outcome}\n`);
}
await Promise.all([close(), further.end()]);
// The lock may be held until the process ends.
process.exit();
