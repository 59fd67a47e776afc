import { enableCompileCache } from "node:module";
import { join } from "node:path";

/**
 * Lets Node keep the compiled code of everything that is imported from now on, which takes a quarter off the start. Node
 * compares the text of each file, so a changed file is compiled again. If the folder cannot be written, nothing is kept.
 */
export function keepCompiledCode() {
  enableCompileCache(join(import.meta.dirname, "..", ".cache", "compiled"));
}
