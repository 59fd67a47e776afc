import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testSiteSettings } from "./site.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the site once for all tests, with the product's own command. */
export default async function setup() {
  const build = spawn(process.execPath, ["server/cli/build.ts"], {
    cwd: root,
    // Leave out the variables of the test runner, because they would change the build.
    env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, ...testSiteSettings },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error(`npm run build ended with ${code}.`);
}
