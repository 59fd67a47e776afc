import { runAdmin } from "./admin/run-admin.ts";

/** `npm run admin -- …` manages accounts and the right to read contacts, with and without a running server. */
process.exitCode = await runAdmin(process.argv.slice(2));
