import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { connect } from "#backend/database/connections";
import { startMajor } from "../support/postgres-major.ts";
import { admin } from "../support/run-command.ts";
import { silentLog } from "../support/silent-log.ts";
import { freePort } from "../support/site.ts";

/** Runs a program and resolves with its output. */
export const run = promisify(execFile);

const site = { user: "fernway", password: "fern'way?" };

/** A PostgreSQL at a port of this machine, prepared with the statements that `database-setup` prints, by psql. */
export async function startOwnPostgres() {
  const port = await freePort();
  const postgres = await startMajor(18, { host: "127.0.0.1", port });
  const superuser = connect(postgres.connection, silentLog);
  const { rows } = await superuser.owner.query("select current_setting('data_directory') as data");
  const data: string = rows[0].data;
  const { uid, gid } = await stat(data);

  const url = ({ at = port, host = "127.0.0.1", database = "fernway", query = "" } = {}) =>
    `postgres://${site.user}:${encodeURIComponent(site.password)}@${host}:${at}/${database}${query}`;
  /** Makes the database, and the logins if they are missing. */
  async function prepare(database?: string) {
    const printed = await admin("database-setup", {
      environment: { DATABASE_URL: url({ ...(database && { database }) }) },
    });
    const { user, password, host } = postgres.connection;
    const psql = run("psql", ["-X", "-h", host, "-p", String(port), "-U", user, "-d", "postgres"], {
      env: { ...process.env, PGPASSWORD: password },
    });
    psql.child.stdin?.end(printed.out);
    await psql;
  }
  await prepare();

  return {
    ...{ port, data, owner: superuser.owner, url, prepare },
    /** The user that runs PostgreSQL: files with keys must belong to it. */
    systemUser: { uid, gid },
    restart: () => postgres.restart("fast"),
    async stop() {
      await superuser.close();
      await postgres.stop();
    },
  };
}
