import { findPackage } from "#server/database/embedded/binaries";
import { startEmbedded } from "#server/database/embedded/embedded-postgres";
import { silent } from "./silent.ts";

// A server reduced to its PostgreSQL, as a process of its own that a test may kill.
const [dataDir = "", packageDir = findPackage()] = process.argv.slice(2);
const embedded = await startEmbedded({ dataDir, log: silent, packageDir });
process.stdout.write("ready\n");
process.once("SIGTERM", () => embedded.stop());
