// `npm run test:long`: the tests and measurements that are too long for `npm test`, one after the other. Each step
// prints its own figures; a measurement counts as one test in the last line, `N passed, N failed`. `--only chaos,backup`
// runs the steps whose name contains one of these, `--short` runs each at a fraction of its size.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureFirefox } from "./browsers.mjs";
import { ensurePrograms } from "./debian-packages.mjs";
import { fetchMajors } from "./postgres-majors.mjs";
import { startTestRun } from "./test-run.mjs";

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, short: { type: "boolean", default: false } },
});
const root = fileURLToPath(new URL("../", import.meta.url));
const { step, program, vitest, finish } = startTestRun();
const size = (full, short) => String(options.short ? short : full);
const newSeed = () => String(1 + Math.floor(Math.random() * (2 ** 31 - 1)));

const steps = [
  bench("chaos", ["bench/chaos.ts", "--contacts", size(1000, 40), "--kills", size(30, 4), "--seed", newSeed()], 15),
  ...Array.from({ length: Number(size(3, 1)) }, () =>
    bench("chaos, a short run", ["bench/chaos.ts", "--contacts", "80", "--kills", "8", "--seed", newSeed()], 10),
  ),
  bench("restarts of the embedded PostgreSQL", ["bench/restarts.ts", "--seconds", size(120, 10)], 20),
  bench("restarts of an external PostgreSQL", ["bench/restarts.ts", "--external", "--seconds", size(120, 10)], 20),
  bench("two servers behind nginx", ["bench/two-servers.ts", "--seconds", size(60, 20)], 15),
  bench("attack", ["bench/attack.ts", "--requests", size(20_000, 1000), "--seed", newSeed()], 20),
  bench("backup", ["bench/backup.ts", "--contacts", size(100_000, 2000), "--seconds", size(20, 3)], 15),
  // Only whether the measurement runs: goals on a machine that does other things would fail by chance.
  bench("speed, without its goals", ["bench/performance.ts", "--short"], 10),
  {
    name: "policies on PostgreSQL 15 to 18",
    async run() {
      fetchMajors();
      return vitest(["tests/policies/versions.test.ts", "tests/policies/database-setup.test.ts"], {
        minutesMax: 15,
        environment: { POSTGRES_MAJORS: "all" },
        rerunCommand: () => "npm run test:long -- --only policies",
      });
    },
  },
  {
    name: "own PostgreSQL with TLS and PgBouncer",
    async run() {
      ensurePrograms({ pgbouncer: "pgbouncer", psql: "postgresql-client", openssl: "openssl" });
      return vitest(["--config", "tests/own-postgres/vitest.config.ts"], {
        minutesMax: 15,
        rerunCommand: () => "npm run test:long -- --only own",
      });
    },
  },
  {
    name: "making it yours",
    run: () =>
      vitest(["--config", "tests/own-content/vitest.config.ts"], {
        minutesMax: 5,
        rerunCommand: () => "npm run test:long -- --only yours",
      }),
  },
  ...Array.from({ length: Number(size(3, 1)) }, () => properties(newSeed())),
  {
    name: "deploy",
    async run() {
      ensurePrograms({
        buildah: "buildah",
        caddy: "caddy",
        debootstrap: "debootstrap",
        ip: "iproute2",
        nginx: "nginx",
        openssl: "openssl",
        systemctl: "systemd",
      });
      return vitest(["--config", "tests/deploy/vitest.config.ts"], {
        minutesMax: 30,
        rerunCommand: () => "npm run test:long -- --only deploy",
      });
    },
  },
  {
    name: "Firefox",
    async run() {
      ensureFirefox();
      return journeysIn("firefox");
    },
  },
  {
    name: "WebKit",
    async run() {
      ensurePrograms({ WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb" });
      return journeysIn("webkit");
    },
  },
];

const names = options.only.split(",").map((part) => part.trim().toLowerCase());
for (const { name, run } of steps) {
  if (names.some((part) => name.toLowerCase().includes(part))) await step(name, run);
}
await finish();

/** A step that runs a measurement. It passes if the measurement ends with exit code 0. */
function bench(name, args, minutesMax) {
  return { name, run: () => program(args, { minutesMax }) };
}

/** The main ways of a visitor and an administrator in another browser than Chromium. */
function journeysIn(browser) {
  return vitest(["--config", "tests/browsers/vitest.config.ts"], {
    minutesMax: 15,
    environment: { TEST_BROWSER: browser },
    rerunCommand: () => `npm run test:long -- --only ${browser}`,
  });
}

/** The property tests, with a seed that `npm test` does not use. */
function properties(seed) {
  const rerunCommand = (location) => `TEST_SEED=${seed} npm test -- ${location}`;
  const run = () => vitest(propertyTestFiles(), { minutesMax: 15, environment: { TEST_SEED: seed }, rerunCommand });
  return { name: `properties, TEST_SEED=${seed}`, run };
}

function propertyTestFiles() {
  return ["content", "validation", "site", "server", "tests"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => /from ".*support\/property(\.ts)?"/.test(readFileSync(join(root, file), "utf8")));
}
