import { flushCompileCache } from "node:module";
import { keepCompiledCode } from "./compile-cache.ts";

keepCompiledCode();
// A static import would be compiled before the line above runs.
await import("./start.ts").catch(async (error: unknown) => {
  const { reportProblem } = await import("./cli/report-problem.ts");
  reportProblem(error);
  process.exit(1);
});
// A server that is killed later also leaves its compiled code to the next one.
flushCompileCache();
