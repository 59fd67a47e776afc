import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sitePort, startSite } from "../../support/site.ts";

/** Starts one server with an empty embedded PostgreSQL for all browser tests. */
export default async function startSiteForAll() {
  const dataDir = await mkdtemp(join(tmpdir(), "e2e-"));
  const site = await startSite({ dataDir, port: sitePort });
  process.env.E2E_DATA_DIR = dataDir;

  return async () => {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
