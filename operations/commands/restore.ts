import { keepCompiledCode } from "../../process/compile-cache.mjs";

/** `npm run restore -- FILE` fills an empty database with a backup. */
keepCompiledCode();
const { runRestore } = await import("./backup/run-restore.ts");
process.exitCode = await runRestore(process.argv.slice(2));
