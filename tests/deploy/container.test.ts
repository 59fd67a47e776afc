import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { defaultPublicKey } from "#server/settings";
import { freePort } from "#tests/support/site";

// buildah builds the image, without a daemon and without an image registry: the two base images are made here from
// packages of Debian, with the machine's own npm in the one for the build. runc would need cgroups that a machine for
// tests may not have, so the image runs in a root of its own: read-only, as the image's user and without capabilities.
const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { maxBuffer: 2 ** 26, env: { ...process.env, BUILDAH_ISOLATION: "chroot" } });
const buildah = async (...args: string[]) => (await run("buildah", ...storage, ...args)).stdout.trim();
const base = join(process.cwd(), ".cache/debian-bookworm");
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const contact = { name: "Ida", company: "", email: "ida@example.com", interest: "consulting" };
const folder = await mkdtemp(join(tmpdir(), "container-"));
const data = join(folder, "data");
const storage = ["--root", join(folder, "storage"), "--runroot", join(folder, "run"), "--storage-driver", "overlay"];
let image: { root: string; user: string; env: string[]; command: string[]; healthCheck: string[] };

/** The words that run a command in the image, with the further settings of `docker run --env`. */
function inImage(command: readonly string[], environment: Record<string, string> = {}): string[] {
  const settings = Object.entries({ HOST: "127.0.0.1", PORT: port, ...environment }).map((entry) => entry.join("="));
  const script = `
    mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --bind ${data} "$0/data"
    exec chroot "$0" setpriv --reuid ${image.user} --regid ${image.user} --clear-groups --inh-caps=-all \
      --bounding-set=-all --no-new-privs env --ignore-environment "$@"`;
  const program = [...image.env, ...settings, "sh", "-c", 'cd /site && exec "$@"', "sh", ...command];
  return ["--mount", "--propagation", "private", "sh", "-ec", script, image.root, ...program];
}

async function importBase(name: string, ...copied: readonly string[][]) {
  const container = await buildah("from", "scratch");
  await buildah("add", "--quiet", container, base, "/");
  for (const [from = "", to = ""] of copied) {
    if (existsSync(from)) await buildah("copy", "--quiet", container, from, to);
  }
  await buildah("run", container, "--", "sh", "-c", "ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm");
  await buildah("commit", "--quiet", "--rm", container, name);
}

beforeAll(async () => {
  if (!existsSync(base)) {
    const mirror = /https?:\/\/\S+\/debian\b/.exec((await run("apt-cache", "policy")).stdout)?.[0] ?? "";
    await run("debootstrap", "--variant=minbase", "bookworm", `${base}.draft`, mirror);
    await run("mv", `${base}.draft`, base);
  }
  const certificates = "/etc/ssl/certs/ca-certificates.crt";
  await importBase("docker.io/library/debian:bookworm-slim");
  await importBase(
    "docker.io/library/node:24-bookworm-slim",
    ["/usr/bin/node", "/usr/bin/node"],
    ["/usr/lib/node_modules/npm", "/usr/lib/node_modules/npm"],
    ["/usr/etc/npmrc", "/usr/etc/npmrc"],
    [certificates, certificates],
  );
  const options = ["--pull-never", "--format=docker", "--ignorefile=.dockerignore", "--file=deploy/Dockerfile"];
  await buildah("build", ...options, "--build-arg=SITE_URL=https://example.com", "--tag=fernway", ".");
  const { config } = JSON.parse(await buildah("inspect", "--type=image", "fernway")).Docker;
  const container = await buildah("from", "--pull-never", "fernway");
  image = {
    root: await buildah("mount", container),
    user: execFileSync("grep", [`^${config.User}:`, join(await buildah("mount", container), "etc/passwd")], {
      encoding: "utf8",
    }).split(":")[2] as string,
    env: config.Env,
    command: config.Cmd,
    healthCheck: config.Healthcheck.Test,
  };
  await mkdir(data, { mode: 0o700 });
  await run("chown", image.user, data);
});
afterAll(async () => {
  await run("buildah", ...storage, "umount", "--all").catch(() => {});
  await run("buildah", ...storage, "rm", "--all").catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

test("the image serves and stores as an ordinary user, with read-only files, and stops in order", async () => {
  expect(Number(image.user)).toBeGreaterThan(999);
  const server = spawn("unshare", inImage(image.command), { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(server, "exit");
  ended.then(([code]) => (output += `ended with ${code}`));
  await vi.waitUntil(() => /Serving |ended with /.test(output), { timeout: 60_000 });
  expect(output).toContain("Serving https://example.com");

  expect(await (await fetch(url)).text()).toContain('rel="canonical" href="https://example.com/"');
  const visitor = createClient(url, defaultPublicKey, { auth: { persistSession: false } });
  expect((await visitor.from("contacts").insert(contact)).error).toBeNull();

  expect(image.healthCheck[0]).toBe("CMD");
  await run("unshare", ...inImage(image.healthCheck.slice(1)));
  const list = await run("unshare", ...inImage(["node", "operations/commands/run.ts", "admin", "list"]));
  expect(list.stdout).toContain("No one can read the contacts yet.");

  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await expect(run("unshare", ...inImage(image.healthCheck.slice(1)))).rejects.toThrow();
});

test("the image says in one sentence that it was built for another address", async () => {
  const settings = { SITE_URL: "https://other.example", PORT: String(await freePort()) };
  const start = run("unshare", ...inImage(image.command, settings));
  await expect(start).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The site was built for https:\/\/example\.com, not for https:\/\/other\.example,.*\n$/,
    ),
  });
});

test("the image holds no tests, no packages of the build and no settings", async () => {
  const size = async (path: string) =>
    Number((await run("du", "--summarize", "--block-size=1M", join(image.root, path))).stdout.split("\t")[0]);
  expect(await size("site")).toBeLessThan(320);
  const { stdout } = await run("find", join(image.root, "site"), "-name", "*.test.ts", "-o", "-name", ".env*");
  expect(stdout.split("\n").filter((file) => file && !file.includes("/node_modules/"))).toEqual([]);
  for (const name of ["astro", "sharp", "vitest"])
    expect(existsSync(join(image.root, "site/node_modules", name))).toBe(false);
});
