import { runAdmin } from "./admin/run.ts";

/** `npm run admin -- …`: who may read the contacts. Works whether the server runs or not. */
process.exitCode = await runAdmin(process.argv.slice(2));
