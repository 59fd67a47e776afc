import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#tests/support/site";

/** Starts HAProxy with the part of `deploy/cluster/haproxy.cfg` for visitors, in which only addresses differ. */
async function startHaproxy(sitePort: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "haproxy-"));
  const port = await freePort();
  const text = await readFile("deploy/cluster/haproxy.cfg", "utf8");
  const config = text
    .replace(/^global[\s\S]*?(?=^defaults)/m, "")
    .replace(/^listen primary[\s\S]*?(?=^frontend visitors)/m, "")
    .replace(":::80 v4v6", `127.0.0.1:${port}`)
    .replaceAll(/^ {2}server db\d.*\n?/gm, "")
    .replace(/\s*log global/, "");
  await writeFile(join(folder, "haproxy.cfg"), `${config}  server site 127.0.0.1:${sitePort}\n`);
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], { env, stdio: "inherit" });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await rm(folder, { recursive: true });
  });
  return `http://127.0.0.1:${port}`;
}

test("HAProxy gives each request an id and the visitor's address, and passes none that the visitor invents", async () => {
  const site = createServer(({ headers }, response) => response.end(JSON.stringify(headers))).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  const url = await startHaproxy((site.address() as AddressInfo).port);
  const headers = { "X-Request-Id": "chosen-by-the-visitor", "X-Forwarded-For": "203.0.113.9" };
  const ask = async () => (await fetch(url, { headers })).json();
  await expect.poll(() => ask().catch(() => undefined)).toBeDefined();
  const [one, other] = [await ask(), await ask()];
  expect(one).toMatchObject({
    "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
    "x-forwarded-for": "127.0.0.1",
  });
  expect(other["x-request-id"]).not.toBe(one["x-request-id"]);
});
