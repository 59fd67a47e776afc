import { findPackage } from "#server/database/embedded/binaries";
import { startEmbedded } from "#server/database/embedded/embedded-postgres";
import { silent } from "./silent.ts";

// A process with an embedded PostgreSQL and nothing else, for a test to kill.
const [dataDir = "", packageDir = findPackage()] = process.argv.slice(2);
const embedded = await startEmbedded({ dataDir, log: silent, packageDir });
process.stdout.write("ready\n");
process.once("SIGTERM", () => embedded.stop());
