import { runAdmin } from "./admin/run-admin.ts";

/** `npm run admin -- …`: accounts and the right to read contacts. Works with and without a running server. */
process.exitCode = await runAdmin(process.argv.slice(2));
