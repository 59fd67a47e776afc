import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testSiteSettings } from "./site.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the site once for all tests, with the product's own command. */
export default async function setup() {
  const build = spawn(process.execPath, ["operations/commands/build.ts"], {
    cwd: root,
    env: { ...process.env, ...testSiteSettings },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error(`npm run build ended with ${code}.`);
}
