import { keepCompiledCode } from "../../process/compile-cache.mjs";

/** `npm run doctor` tells what is wrong with a set-up, and changes nothing. */
keepCompiledCode();
const { runDoctor } = await import("./doctor/run-doctor.ts");
process.exitCode = await runDoctor(process.argv.slice(2));
