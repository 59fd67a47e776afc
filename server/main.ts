import { flushCompileCache } from "node:module";
import { keepCompiledCode } from "./compile-cache.ts";

keepCompiledCode();
// A static import would be compiled before the line above runs.
await import("./start.ts");
// A server that is killed later also leaves its compiled code to the next one.
flushCompileCache();
