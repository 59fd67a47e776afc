import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { sitePort, startSite } from "../../support/site.ts";

/** Starts one server with an empty embedded PostgreSQL for all browser tests. */
export default async function startSiteForAll() {
  const dataDir = await mkdtemp(join(tmpdir(), "e2e-"));
  const site = await startSite({ dataDir, port: sitePort });
  process.env.E2E_DATA_DIR = dataDir;
  await storeOldContacts(dataDir);

  return async () => {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** With few contacts the inbox has no search. These are older than those of any test. */
async function storeOldContacts(dataDir: string) {
  const database = new pg.Client(await embeddedConnection(dataDir));
  await database.connect();
  await database.query(
    `insert into contacts (name, company, email, interest, submitted_at)
     select 'Old Oak ' || number, '', 'oak-' || number || '@example.com', 'consulting', '2000-02-01'
     from generate_series(1, 21) number`,
  );
  await database.query("update contacts set state = 'archived'");
  await database.end();
}
