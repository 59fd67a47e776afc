import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defaultPublicKey } from "#server/settings";
import { freePort } from "#tests/support/site";
import { makeSiteFolder } from "./site-folder.ts";

const run = promisify(execFile);
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const credentials = { email: "ada@example.com", password: "a long walk in the woods" };
const contact = { name: "Ida", company: "", email: "ida@example.com", interest: "consulting" };
let folder: string;
let systemd: ReturnType<typeof spawn>;

/** Runs a command where systemd runs. */
async function inside(command: string) {
  const namespaces = [`--target=${await processOne()}`, "--all", "--root"];
  return (await run("nsenter", [...namespaces, "sh", "-c", `cd / && ${command}`])).stdout;
}

/** systemd, which `unshare` started as its child. */
async function processOne(): Promise<string> {
  const { stdout } = await run("cat", [`/proc/${systemd.pid}/task/${systemd.pid}/children`]);
  return stdout.trim();
}

const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
const client = () => createClient(url, defaultPublicKey, { auth: { persistSession: false } });

beforeAll(async () => {
  // Not in /dev/shm, where npm test has its folders: PostgreSQL's shared memory is a /dev/shm of its own here.
  folder = await mkdtemp(join(tmpdir(), "systemd-"));
  const site = join(folder, "site");
  makeSiteFolder(site, "https://example.com");
  await writeFile(
    `${site}.env`,
    "SITE_URL=https://example.com\nHOST=127.0.0.1\nDATA_DIR=/var/lib/fernway\nAUTH_LIMITS=off\n",
  );
  const unit = await readFile("deploy/fernway.service", "utf8");
  expect(unit).toContain("PORT=3000");
  await writeFile(join(folder, "unit"), unit.replace("PORT=3000", `PORT=${port}`));
  await mkdir(join(folder, "machine"));
  const boot = 'mount -t tmpfs tmpfs "$1" && exec sh tests/support/boot-systemd.sh "$@"';
  systemd = spawn(
    "unshare",
    ["--mount", "--pid", "--cgroup", "--uts", "--ipc", "--fork", "--kill-child", "--propagation", "private"].concat([
      ...["sh", "-c", boot, "boot", join(folder, "machine"), "/", "tests/deploy/prepare-service.sh", "fernway.service"],
    ]),
    { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, SITE: site, UNIT: join(folder, "unit") } },
  );
  await vi.waitUntil(() => systemd.exitCode !== null || isReady(), { timeout: 60_000 });
  expect(systemd.exitCode, "systemd did not boot").toBeNull();
});
afterAll(async () => {
  // It may have ended by itself, if it could not boot.
  const ended = systemd.exitCode === null && once(systemd, "exit");
  systemd.kill("SIGKILL");
  await ended;
  await rm(folder, { recursive: true, force: true });
});

test("systemd knows every line of the unit, and finds little that it could reach", async () => {
  expect((await inside("systemd-analyze verify fernway.service 2>&1")).trim()).toBe("");
  const exposure = await inside("systemd-analyze security --no-pager fernway.service | tail -1");
  expect(Number(/: ([\d.]+) /.exec(exposure)?.[1])).toBeLessThan(2);
});

test("an admin made at the terminal logs in and reads a contact, with all limits of the unit", async () => {
  const command = "npm run admin --silent -- create ada@example.com --admin --password-stdin";
  const asUser =
    "setpriv --reuid fernway --regid fernway --clear-groups env ENV_FILE=/etc/fernway.env HOME=/nonexistent";
  await inside(`cd /srv/fernway/current && echo '${credentials.password}' | ${asUser} ${command}`);
  expect((await client().from("contacts").insert(contact)).error).toBeNull();
  const admin = client();
  await admin.auth.signInWithPassword(credentials);
  expect((await admin.from("contacts").select("email")).data).toEqual([{ email: contact.email }]);
});

test("nothing can be written but the data, the cache and temporary files", async () => {
  const script = `const { writeFileSync } = require("fs");
    const isWritable = (folder) => { try { writeFileSync(folder + "/probe", ""); return true; } catch { return false; } };
    const folders = ["/srv/fernway/current", "/etc", "/home", "/usr", "/var/lib", "/root", "/var/lib/fernway"];
    writeFileSync("/var/lib/fernway/probe", folders.filter(isWritable).join());`;
  const node = "/srv/fernway/current/node_modules/.bin/node";
  await inside(`echo '${script.replaceAll("\n", " ")}' > /srv/probe.cjs && chmod 644 /srv/probe.cjs`);
  // The same unit with another program.
  const change = `s|^ExecStart=.*|ExecStart=${node} /srv/probe.cjs|; s|^Restart=.*|Type=oneshot|`;
  const units = "/etc/systemd/system";
  await inside(`sed '${change}' ${units}/fernway.service > ${units}/probe.service && systemctl start probe`);
  expect(await inside("cat /var/lib/fernway/probe")).toBe("/var/lib/fernway");
});

test("after a crash the service is back by itself, with every contact", async () => {
  await inside("systemctl kill --signal=KILL --kill-who=main fernway");
  await expect.poll(() => inside("systemctl show --property=NRestarts fernway")).toBe("NRestarts=1\n");
  await expect.poll(isReady).toBe(true);
  const admin = client();
  await admin.auth.signInWithPassword(credentials);
  expect((await admin.from("contacts").select("email")).data).toEqual([{ email: contact.email }]);
});

test("a stop ends the server with 0, and lets it end PostgreSQL itself", async () => {
  // What the server has begun is answered, although PostgreSQL is in the same unit.
  const statuses: number[] = [];
  const senders = Array.from({ length: 8 }, async (_, sender) => {
    for (let sent = 0; ; sent++) {
      const row = { ...contact, email: `${sender}-${sent}@example.com` };
      const { status } = await client().from("contacts").insert(row);
      if (status === 0) return;
      statuses.push(status);
    }
  });
  await vi.waitUntil(() => statuses.length > 40, { timeout: 30_000 });
  await inside("systemctl stop fernway");
  await Promise.all(senders);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect(await inside("systemctl show --property=Result --property=ExecMainStatus fernway")).toBe(
    "Result=success\nExecMainStatus=0\n",
  );
  const log = (await inside("cat /var/lib/fernway/postgres.log")).trimEnd().split("\n");
  expect(log.at(-1)).toContain("database system is shut down");
  const [, stop] = (await inside("journalctl --unit=fernway --output=cat")).split("Stopping fernway.service");
  expect(stop).not.toContain("Killing process");
});
