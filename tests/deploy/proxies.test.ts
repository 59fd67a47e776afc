import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "#content/page-titles";
import { defaultPublicKey } from "#server/settings";
import { createDatabase } from "#tests/support/database";
import { type RunningProxy, startCaddy, startNginx } from "#tests/support/proxies";
import { type RunningSite, startSite } from "#tests/support/site";

// Visitors have public addresses, because private ones do not tell senders apart. So all of this runs in a network
// namespace, whose loopback interface has these addresses.
const proxyAddress = "198.51.100.1";
const visitors = ["198.51.100.7", "203.0.113.9"] as const;
const network = spawn("unshare", ["--net", "sh", "-c", "echo ready; exec sleep infinity"], {
  stdio: ["ignore", "pipe", "inherit"],
});
await once(network.stdout, "data");
const within = ["nsenter", `--net=/proc/${network.pid}/ns/net`, "--"];
const run = async (...words: string[]) => {
  const [command = "", ...args] = [...within, ...words];
  return (await promisify(execFile)(command, args)).stdout;
};
await run("ip", "link", "set", "lo", "up");
for (const address of [proxyAddress, ...visitors]) await run("ip", "address", "add", `${address}/32`, "dev", "lo");

const database = await createDatabase();
const folder = await mkdtemp(join(tmpdir(), "proxies-"));
const ports = { http: 8080, https: 8443, servers: [3000, 3001] as const };
const startServer = (port: number) =>
  startSite({
    dataDir: folder,
    port,
    within,
    environment: {
      DATABASE_URL: database.url,
      SITE_URL: "https://example.com",
      BUILD_DIR: ".cache/deploy-site",
      HOST: "127.0.0.1",
      TRUST_PROXY: "loopback",
      LOG_LEVEL: "info",
    },
  });
let first: RunningSite;
let second: RunningSite;
beforeAll(async () => {
  first = await startServer(3000);
  second = await startServer(3001);
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  network.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** A request to the proxy, as `curl` makes it; resolves with headers and body. */
async function request(path: string, { from = visitors[0] as string, http = false, args = [] as string[] } = {}) {
  const port = http ? ports.http : ports.https;
  const url = `${http ? "http" : "https"}://example.com:${port}${path}`;
  const answer = await run(
    ...["curl", "--silent", "--insecure", "--include", "--interface", from, "--max-time", "30"],
    ...["--resolve", `example.com:${port}:${proxyAddress}`, ...args, url],
  );
  const end = answer.indexOf("\r\n\r\n");
  const [status = "", ...lines] = answer.slice(0, end).split("\r\n");
  const headers = lines
    .map((line) => line.split(/: (.*)/s))
    .map(([name = "", value = ""]) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(headers), lines, body: answer.slice(end + 4) };
}

const key = ["--header", `apikey: ${defaultPublicKey}`];
const json = (body: unknown) => ["--header", "content-type: application/json", "--data", JSON.stringify(body)];

function sendContact(email: string, { from, forwarded }: { from?: string; forwarded?: string } = {}) {
  const forged = forwarded ? ["--header", `X-Forwarded-For: ${forwarded}`] : [];
  const args = [...key, ...forged, ...json({ name: "Ada", company: "", email, interest: "consulting" })];
  return request("/rest/v1/contacts", { ...(from && { from }), args });
}

describe.each([
  ["nginx", startNginx],
  ["Caddy", startCaddy],
])("%s with the file in deploy/", (name, start) => {
  let proxy: RunningProxy;
  let own: string;
  beforeAll(async () => {
    await database.owner.query("truncate contacts, private.contact_senders cascade");
    own = await mkdtemp(join(folder, `${name}-`));
    proxy = await start({ folder: own, ports, within });
  });
  afterAll(() => proxy.stop());

  test("redirects http to https, with path and query", async () => {
    const { status, headers } = await request("/services?x=1", { http: true });
    expect([status.split(" ")[1], headers.location]).toEqual([
      expect.stringMatching(/^30[18]$/),
      "https://example.com/services?x=1",
    ]);
  });

  // Caddy logs only requests that fail.
  test.skipIf(name === "Caddy")("logs no query", async () => {
    await request("/rest/v1/contacts?search_text=like.*heron*");
    const log = () => readFile(join(own, "access.log"), "utf8");
    await expect.poll(log).toContain('"GET /rest/v1/contacts HTTP/2.0"');
    expect(await log()).not.toMatch(/heron|\?/);
  });

  test("serves pages over HTTP/2 with the server's own compression and headers", async () => {
    const direct = await run("curl", "--silent", "--head", "--header", "accept-encoding: br", "http://127.0.0.1:3000/");
    const { status, headers, lines } = await request("/", { args: ["--header", "accept-encoding: br"] });
    expect(status).toMatch(/^HTTP\/2 200/);
    expect(headers["content-encoding"]).toBe("br");
    expect(direct).toContain(`etag: ${headers.etag}\r\n`);
    expect(lines.filter((line) => /^strict-transport-security:/i.test(line))).toHaveLength(1);
    const plain = await request("/");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toContain(pages[0]?.title);
  });

  test("is trusted, and passes the host's name", async () => {
    const { body } = await request("/healthz");
    expect(JSON.parse(body)).toMatchObject({ status: "ok", proxy: "trusted", host: "site" });
  });

  test("gives each request an id of its own, which is in the answer and in the log", async () => {
    const { headers } = await request("/", { args: ["--header", "X-Request-Id: chosen-by-the-visitor"] });
    expect(headers["x-request-id"]).toMatch(/^[\da-f-]{32,36}$/);
    await expect.poll(() => first.output()).toContain(`"requestId":"${headers["x-request-id"]}"`);
  });

  test("passes the visitor's address, and none that the visitor invents", async () => {
    const senders = async () =>
      (await database.owner.query("select distinct address_hash from private.contact_senders")).rows;
    await sendContact("one@example.com");
    expect(await senders()).toHaveLength(1);
    await sendContact("two@example.com", { forwarded: "192.0.2.66" });
    expect(await senders()).toHaveLength(1);
    await sendContact("three@example.com", { from: visitors[1] });
    expect(await senders()).toHaveLength(2);
  });

  // Caddy passes the body on at once, and may notice the closed connection before it reads the answer.
  test.skipIf(name === "Caddy")("lets the server itself refuse a body that is too large", async () => {
    const file = join(folder, "large.json");
    await writeFile(file, "x".repeat(1.5 * 2 ** 20));
    const type = ["--header", "content-type: application/json"];
    const { status, body } = await request("/rest/v1/contacts", { args: [...key, ...type, "--data", `@${file}`] });
    expect([status.split(" ")[1], JSON.parse(body).code]).toEqual(["413", "PGRST102"]);
  });

  test("loses no contact while one server after the other is replaced", async () => {
    await database.owner.query("truncate contacts, private.contact_senders cascade");
    const statuses: string[] = [];
    let done = false;
    const senders = visitors.map(async (from, index) => {
      for (let sent = 0; !done; sent++) {
        const { status } = await sendContact(`${index}-${sent}@example.com`, { from });
        statuses.push(status.split(" ")[1] ?? "none");
      }
    });
    // A proxy that is told to lead elsewhere still answers what it has begun: wait until all of that has ended.
    const leadTo = async (port: number) => {
      await proxy.leadTo(port);
      const begun = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(begun + 20);
    };
    await leadTo(3001);
    expect(await first.stop()).toBe(0);
    first = await startServer(3000);
    await leadTo(3000);
    expect(await second.stop()).toBe(0);
    second = await startServer(3001);
    done = true;
    await Promise.all(senders);
    expect(new Set(statuses)).toEqual(new Set(["201"]));
    const { rows } = await database.owner.query("select count(*)::int as stored from contacts");
    expect(rows).toEqual([{ stored: statuses.length }]);
  });
});
