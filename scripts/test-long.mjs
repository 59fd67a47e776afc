// `npm run test:long`: the tests and measurements that are too long for `npm test`, one after the other. Each step
// prints its own figures; a measurement counts as one test in the last line, `N passed, N failed`. `--only chaos,backup`
// runs the steps whose name contains one of these, `--short` runs each at a fraction of its size.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureChromium, findFirefox } from "./browsers.mjs";
import { ensurePrograms, isDebianRoot } from "./debian-packages.mjs";
import { fetchMajors } from "./postgres-majors.mjs";
import { runSteps } from "./step-runner.mjs";

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, short: { type: "boolean", default: false } },
});
const root = fileURLToPath(new URL("../", import.meta.url));
const size = (full, short) => String(options.short ? short : full);
const newSeed = () => String(1 + Math.floor(Math.random() * (2 ** 31 - 1)));
const times = (count, step) => Array.from({ length: Number(count) }, step);
if (!isDebianRoot()) console.log("The cluster is left out: it needs root on Debian.");
/** These tests draw random values. `npm test` runs them with another seed. */
const propertyTestFiles = globSync(
  "{content,validation,site,process,backend,server,operations,tests}/**/*.test.{ts,tsx}",
  { cwd: root },
).filter((file) => readFileSync(join(root, file), "utf8").includes("support/seeded-fast-check"));

/** These files have cases that `npm test` skips. */
const rareCaseFiles = globSync("{process,backend,server,operations,tests}/**/*.test.ts", { cwd: root }).filter((file) =>
  readFileSync(join(root, file), "utf8").includes("support/rare-cases"),
);

const steps = [
  bench("chaos", ["--contacts", size(1000, 40), "--kills", size(30, 4), "--seed", newSeed()]),
  ...times(size(3, 1), () =>
    bench("chaos", ["--contacts", "80", "--kills", "8", "--seed", newSeed()], ", a short run"),
  ),
  bench("restarts", ["--seconds", size(120, 10)]),
  ...(isDebianRoot() ? [{ ...bench("cluster", []), minutesMax: 30 }] : []),
  bench("attack", ["--requests", size(20_000, 1000), "--seed", newSeed()]),
  // Only whether the measurement runs: goals on a machine that does other things would fail by chance.
  bench("performance", ["--short"], ", without its goals"),
  suite(
    "policies on PostgreSQL 15 to 18",
    ["tests/policies/versions.test.ts", "tests/policies/database-setup.test.ts"],
    {
      prepare: fetchMajors,
      environment: { POSTGRES_MAJORS: "all" },
    },
  ),
  suite("own PostgreSQL with TLS and PgBouncer", ["--config", "tests/own-postgres/vitest.config.ts"], {
    prepare: () => ensurePrograms({ pgbouncer: "pgbouncer", psql: "postgresql-client", openssl: "openssl" }),
  }),
  suite("rare cases", rareCaseFiles, { environment: { TEST_RARE: "on" } }),
  {
    name: "rare cases in a browser",
    playwright: ["--grep", "@rare"],
    prepare: ensureChromium,
    environment: { TEST_RARE: "on" },
  },
  suite("making it yours", ["--config", "tests/own-content/vitest.config.ts"]),
  ...times(size(3, 1), newSeed).map((seed) => ({
    name: `properties, TEST_SEED=${seed}`,
    vitest: propertyTestFiles,
    environment: { TEST_SEED: seed },
  })),
  suite("deploy", ["--config", "tests/deploy/vitest.config.ts"], {
    prepare: () =>
      ensurePrograms({
        buildah: "buildah",
        caddy: "caddy",
        curl: "curl",
        debootstrap: "debootstrap",
        haproxy: "haproxy",
        ip: "iproute2",
        nginx: "nginx",
        openssl: "openssl",
        systemctl: "systemd",
      }),
    minutesMax: 30,
  }),
  // The main ways of a visitor and an administrator in other browsers than Chromium.
  suite("Firefox", ["--config", "tests/browsers/vitest.config.ts"], {
    prepare: () => findFirefox() ?? ensurePrograms({ "firefox-esr": "firefox-esr" }),
    environment: { TEST_BROWSER: "firefox" },
  }),
  suite("WebKit", ["--config", "tests/browsers/vitest.config.ts"], {
    prepare: () => ensurePrograms({ WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb" }),
    environment: { TEST_BROWSER: "webkit" },
  }),
];

const parts = options.only.split(",").map((part) => part.trim().toLowerCase());
await runSteps(steps.filter(({ name }) => parts.some((part) => name.toLowerCase().includes(part))));

/** A step that runs a measurement. */
function bench(file, args, details = "") {
  return { name: `${file}${details}`, program: [`bench/${file}.ts`, ...args] };
}

function suite(name, vitest, more) {
  return { name, vitest, repeat: `npm run test:long -- --only ${name.split(" ")[0]}`, ...more };
}
