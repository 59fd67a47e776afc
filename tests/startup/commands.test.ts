import { type ChildProcess, exec, spawn } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, inject, test } from "vitest";
import { defaultPublicKey } from "#server/settings";
import { copyDataDir } from "#tests/support/data-dir";
import { onFinished } from "#tests/support/on-finished";
import { freePort, testSiteSettings } from "#tests/support/site";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { isAlive } from "../../scripts/leftover-processes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

test("install scripts run although a person's settings of npm turn them off", async () => {
  await writeFile(join(folder, ".npmrc"), "ignore-scripts=true\n");
  const npm = promisify(exec)("npm config get ignore-scripts", {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  expect((await npm).stdout.trim()).toBe("false");
});

test("`npm start` and, in another shell, `npm run admin` use the file of ENV_FILE; SIGTERM ends server and PostgreSQL", async () => {
  const port = await freePort();
  const { SITE_URL, BUILD_DIR } = testSiteSettings;
  const settings = { PORT: port, DATA_DIR: folder, SITE_URL, BUILD_DIR };
  const envFile = join(folder, "env");
  await writeFile(
    envFile,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const shell = { ENV_FILE: envFile };

  // In the order of the README.
  const npm = run("start", shell);
  await untilAnswered(`http://localhost:${port}/`);
  const create = run(
    "admin",
    shell,
    ["--", "create", "you@example.com", "--admin", "--password-stdin"],
    "a long walk\n",
  );
  const printed = collect(create);
  expect([await ended(create), printed()]).toEqual([
    0,
    expect.stringContaining("you@example.com can log in and read the contacts now."),
  ]);
  const postgres = Number.parseInt(await readFile(join(folder, "postgres", "postmaster.pid"), "utf8"), 10);

  npm.kill("SIGTERM");
  await ended(npm);
  await until(() => !isAlive(postgres));
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
}, 150_000);

test("`npm run dev` serves the pages, and its data API stores a contact", async () => {
  await copyDataDir(inject("preparedDataDir"), folder);
  const port = await freePort();
  const npm = run("dev", { PORT: String(port), DATA_DIR: folder });
  const page = await untilAnswered(`http://localhost:${port}/`);
  // A page that fails is sent up to the failure.
  expect(await page.text()).toMatch(/\/@vite\/client.+id="contact-heading".+<\/html>/s);

  const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
  await untilAnswered(`http://localhost:${port}/rest/v1/contacts`, {
    method: "POST",
    headers: { apikey: defaultPublicKey, "content-type": "application/json" },
    body: JSON.stringify(contact),
  });
  npm.kill("SIGTERM");
  await ended(npm);
}, 150_000);

test("`npm run build` writes pages and compressed copies, and skips an unchanged site", async () => {
  // This is the second build of the same site. The first ran before all tests (tests/support/site-for-all.ts).
  const npm = run("build", testSiteSettings);
  const printed = collect(npm);
  expect([await ended(npm), printed()]).toEqual([
    0,
    expect.stringContaining("Nothing has changed since the last build"),
  ]);
  const site = join(root, testSiteSettings.BUILD_DIR);
  // A server of another user may serve the build.
  expect((await stat(site)).mode & 0o777).toBe(0o755);
  expect(await readFile(join(site, "index.html"), "utf8")).toContain("</html>");
  expect((await readFile(join(site, "index.html.br"))).length).toBeGreaterThan(1000);
});

test("`npm run help` has one line for each command, as it is typed, and none for the hooks of npm", async () => {
  const npm = run("help", {});
  const printed = collect(npm);
  expect(await ended(npm)).toBe(0);
  expect(
    printed()
      .split("\n")
      .filter((line) => line.length > 80),
  ).toEqual([]);
  const listed = [...printed().matchAll(/^ {2}npm (?:run )?(\S+)(?: \[?-- \S+)? {2,}\S/gm)].map(
    ([, name = ""]) => name,
  );

  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const isHook = (name: string) => name.startsWith("pre") && name.slice(3) in scripts;
  const commands = Object.keys(scripts).filter((name) => !isHook(name));
  // What is missing gets a line in scripts/help.mjs.
  expect(listed.sort()).toEqual(commands.sort());
});

function run(script: string, environment: Record<string, string>, args: string[] = [], input = ""): ChildProcess {
  // Leave out the variables of the test runner, which a developer's shell does not have.
  const { NODE_ENV: _, VITEST: __, ...inherited } = process.env;
  const options = { cwd: root, env: { ...inherited, ...environment } };
  const child = spawn("npm", ["run", script, ...args], { ...options, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  child.stdout.resume();
  onFinished(() => {
    child.kill("SIGTERM");
    return ended(child);
  });
  return child;
}

function collect(child: ChildProcess): () => string {
  let printed = "";
  child.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  return () => printed;
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((done) => child.on("close", done));
}

async function untilAnswered(url: string, request?: RequestInit): Promise<Response> {
  let answer: Response | undefined;
  await until(async () => {
    answer = await fetch(url, request).catch(() => undefined);
    return answer?.ok === true;
  });
  if (!answer) throw new Error(`${url} did not answer.`);
  return answer;
}

async function until(isTrue: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 120_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("Waited for two minutes in vain.");
    await new Promise((done) => setTimeout(done, 100));
  }
}
