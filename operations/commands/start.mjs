import { flushCompileCache } from "node:module";
import { keepCompiledCode } from "../../process/compile-cache.mjs";

// This file and that of `keepCompiledCode` are JavaScript: for a single file in TypeScript that is not in the cache, Node
// loads what removes the types, which takes 17 MB for as long as the server runs.
keepCompiledCode();
// A static import would be compiled before the line above runs.
await import("./start/run-start.ts").catch(async (error) => {
  const { reportProblem } = await import("./terminal.ts");
  reportProblem(error);
  process.exit(1);
});
// A server that is killed later also leaves its compiled code to the next one.
flushCompileCache();
