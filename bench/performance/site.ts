import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { startSite } from "#tests/support/site";
import { startSmtp } from "../smtp/smtp-process.ts";
import type { Run } from "./run.ts";

/**
 * The server with its embedded PostgreSQL and a mail server, as an operator has them, with all limits on. It writes no
 * line for each request, because its rivals write none.
 */
export async function startBenchSite({ folder, signal }: Run, environment: Record<string, string> = {}) {
  const dataDir = join(folder, "data");
  const mailLog = join(folder, "smtp.log");
  await writeFile(mailLog, "");
  const smtp = await startSmtp({ log: mailLog, signal });
  const site = await startSite({
    dataDir,
    signal,
    environment: {
      HOST: "127.0.0.1",
      AUTH_LIMITS: "on",
      TRUST_PROXY: "127.0.0.1",
      LOG_LEVEL: "warn",
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      NOTIFY_TO: "owner@bench.example",
      ...environment,
    },
  });
  return {
    url: `http://127.0.0.1:${site.port}`,
    pid: site.pid,
    connection: await embeddedConnection(dataDir),
  };
}
