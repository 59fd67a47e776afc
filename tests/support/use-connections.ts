/**
 * This process uses both connection pools of the server and prints the outcome of each use. A test checks whether a
 * lost connection ends the process. The arguments of the process are the ports of some PostgreSQL.
 */
import { asCaller } from "#backend/database/as-caller";
import { ensureAuthenticatorLogin } from "#backend/database/caller-login";
import { connect, separatePool } from "#backend/database/connections";
import { takeServerLock } from "#backend/database/embedded/server-lock";
import { inTransaction } from "#backend/database/transaction";
import { silentLog } from "./silent-log.ts";

for (const port of process.argv.slice(2)) await exercise(Number(port));
// The lock may be held until the process ends.
process.exit();

async function exercise(port: number) {
  const connection = { host: "127.0.0.1", port, user: "owner", password: "x", database: "site" };
  const { owner, caller, close } = connect(connection, silentLog);
  // Wait only a short time for a working connection, because the test's PostgreSQL ends every connection.
  for (const pool of [owner, caller]) pool.options.connectionTimeoutMillis = 200;
  const further = separatePool(owner, { max: 1 });
  const uses: (() => Promise<unknown>)[] = [
    () => inTransaction(owner, (db) => db.query("select")),
    () => asCaller(caller, { role: "anon" }, (db) => db.query("select")),
    () => owner.query("select"),
    () => further.query("select"),
    () => takeServerLock(connection, "these data"),
    async () => {
      const db = await owner.connect();
      await ensureAuthenticatorLogin(owner, db).finally(() => db.release(true));
    },
  ];
  for (const use of uses) {
    await use().catch(() => {});
    // The event of a lost connection may follow the outcome, and the process must survive that event.
    await new Promise(setImmediate);
    process.stdout.write("used\n");
  }
  await Promise.all([close(), further.end()]);
}
