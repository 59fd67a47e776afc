import { keepCompiledCode } from "../../process/compile-cache.mjs";

/**
 * `npm run admin -- …` manages accounts and the right to read contacts. It works whether the server is running or not.
 */
keepCompiledCode();
const { runAdmin } = await import("./admin/run-admin.ts");
process.exitCode = await runAdmin(process.argv.slice(2));
