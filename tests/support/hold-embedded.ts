import { startEmbedded } from "#server/database/embedded";
import { silent } from "./silent.ts";

// A server reduced to its PostgreSQL, as a process of its own that a test may kill.
const embedded = await startEmbedded({ dataDir: process.argv[2] ?? "", log: silent });
process.stdout.write("ready\n");
process.once("SIGTERM", () => embedded.stop());
