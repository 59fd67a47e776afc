// `npm run dev`: Astro serves the pages and reloads them after a change. Behind it the project's own server answers the
// form and the APIs and restarts when its sources change. Both end with this process.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { reportProblem } from "../operations/commands/terminal.ts";
import { readSettings } from "../server/settings.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const { port, siteUrl, publicKey, publicUrl } = readSettingsOrExit();
const apiPort = port + 1;

const require = createRequire(import.meta.url);
const astroPackage = require.resolve("astro/package.json");
const astro = join(dirname(astroPackage), require(astroPackage).bin.astro);
const watched = ["process", "backend", "server", "operations", "validation", "content", "supabase"].map(
  (folder) => `--watch-path=${join(root, folder)}`,
);

let ending = false;
const children = [
  start("server", [...watched, "operations/commands/start.mjs", "--without-pages"], {
    PORT: String(apiPort),
    SITE_URL: siteUrl,
  }),
  start("site", [astro, "dev", "--port", String(port)], {
    ASTRO_TELEMETRY_DISABLED: "1",
    API_URL: `http://localhost:${apiPort}`,
    SITE_URL: siteUrl,
    PUBLIC_SUPABASE_ANON_KEY: publicKey,
    ...(publicUrl !== undefined && { PUBLIC_SUPABASE_URL: publicUrl }),
  }),
];
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);

function readSettingsOrExit() {
  try {
    return readSettings();
  } catch (error) {
    reportProblem(error);
    process.exit(1);
  }
}

function start(name, args, environment) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...environment }, stdio: "inherit" });
  child.on("exit", (code) => {
    if (!ending) console.error(`The ${name} ended (${code}).`);
    process.exitCode ||= code ?? 0;
    end();
  });
  return child;
}

function end() {
  if (ending) return;
  ending = true;
  for (const child of children) child.kill("SIGTERM");
}
