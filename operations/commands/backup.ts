import { keepCompiledCode } from "../../process/compile-cache.mjs";

/** `npm run backup` writes all rows of one moment into a file. It works whether the server is running or not. */
keepCompiledCode();
const { runBackup } = await import("./backup/run-backup.ts");
process.exitCode = await runBackup(process.argv.slice(2));
