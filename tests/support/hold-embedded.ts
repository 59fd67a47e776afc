import { findPackage } from "#backend/database/embedded/binaries";
import { startEmbedded } from "#backend/database/embedded/embedded-postgres";
import { silentLog } from "./silent-log.ts";

// This process only runs an embedded PostgreSQL. A test starts the process in order to kill it.
const [dataDir = "", packageDir = findPackage()] = process.argv.slice(2);
const embedded = await startEmbedded({ dataDir, log: silentLog, packageDir });
process.stdout.write("ready\n");
process.once("SIGTERM", () => embedded.stop());
