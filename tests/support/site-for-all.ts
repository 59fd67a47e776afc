import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testSiteSettings } from "./site.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The site that every server under test shows, built by the product's own command before the first of them starts. */
export default async function setup() {
  const build = spawn(process.execPath, ["server/cli/build.ts"], {
    cwd: root,
    // As for a person: what the test runner tells its own processes would change the build.
    env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, ...testSiteSettings },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error(`npm run build ended with ${code}.`);
}
