import { runAdmin } from "./admin/run-admin.ts";

/**
 * `npm run admin -- …` manages accounts and the right to read contacts. It works whether the server is running or not.
 */
process.exitCode = await runAdmin(process.argv.slice(2));
