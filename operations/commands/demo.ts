import { keepCompiledCode } from "../../process/compile-cache.mjs";

/** `npm run demo` fills a development database with contacts from half a year. It works whether the server runs or not. */
keepCompiledCode();
const { runDemo } = await import("./demo/run-demo.ts");
process.exitCode = await runDemo(process.argv.slice(2));
