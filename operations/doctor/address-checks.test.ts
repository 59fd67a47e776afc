import { createServer } from "node:net";
import Fastify from "fastify";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { linesOf } from "#tests/support/findings";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { checkAddress, checkCertificate, checkProxy } from "./address-checks.ts";
import { findingsOf } from "./finding.ts";

const hostedUrl = undefined;

/** A server that answers as the site's does. */
async function serve(instance: string, kid = "owl") {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.get("/healthz", async () => ({ status: "ok", instance, proxy: "none" }));
  app.get("/auth/v1/.well-known/jwks.json", async () => ({ keys: [{ kid }] }));
  const siteUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  return { siteUrl, host: "127.0.0.1", port: Number(new URL(siteUrl).port) };
}

test("an address that leads to the server on this machine is told from one that leads to another", async () => {
  const [here, there] = [await serve("a"), await serve("b")];
  expect(linesOf(await checkAddress({ ...here, hostedUrl })).at(-1)).toBe(
    `ok ${here.siteUrl} leads to the server on this machine.`,
  );
  expect(linesOf(await checkAddress({ ...here, siteUrl: there.siteUrl, hostedUrl })).at(-1)).toBe(
    `look ${there.siteUrl} leads to another server than ${here.siteUrl}.`,
  );
});

test("a site address that does not answer is BROKEN if the server itself answers", async () => {
  const here = await serve("a");
  const nowhere = "http://127.0.0.1:9";
  const answer = "could not be reached: connection refused";
  const [finding] = (await checkAddress({ ...here, siteUrl: nowhere, hostedUrl })).slice(-1);
  expect(finding).toMatchObject({ level: "BROKEN", saw: `${nowhere} ${answer}.` });
  expect(finding?.todo).toContain(`The server itself answers at ${here.siteUrl}`);
  const neither = await checkAddress({ siteUrl: nowhere, host: "127.0.0.1", port: 9, hostedUrl });
  expect(linesOf(neither).at(-1)).toBe(`look No server answers at ${nowhere}.`);
});

test("a site address whose proxy closes the connection is told in the words of every other request", async () => {
  const here = await serve("a");
  const closing = createServer((socket) => socket.destroy());
  const siteUrl = `http://127.0.0.1:${await listenOnLoopback(closing)}`;
  expect(linesOf(await checkAddress({ ...here, siteUrl, hostedUrl })).at(-1)).toBe(
    `BROKEN ${siteUrl} closed the connection without an answer.`,
  );
});

test("another site on the port of this one is BROKEN, whether or not the site's address leads there", async () => {
  const [own, other] = [await serve("a", "owl"), await serve("b", "hen")];
  expect(linesOf(await checkAddress({ ...own, hostedUrl }, ["hoo", "owl"])).at(-1)).toMatch(/^ok .* this machine\.$/);
  for (const siteUrl of [other.siteUrl, own.siteUrl, "http://127.0.0.1:9"])
    expect(linesOf(await checkAddress({ ...other, siteUrl, hostedUrl }, ["hoo", "owl"])).at(-1)).toBe(
      `BROKEN Another site answers at ${other.siteUrl}: its keys are not in the database of this one.`,
    );
});

test("a static host in front of a hosted project needs no /healthz; without a project it leads elsewhere", async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  const siteUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  const settings = { siteUrl, host: "127.0.0.1", port: 9 };
  expect(linesOf(await checkAddress({ ...settings, hostedUrl: "https://x.supabase.co" })).at(-1)).toMatch(/^ok /);
  expect(linesOf(await checkAddress({ ...settings, hostedUrl })).at(-1)).toMatch(
    /^BROKEN .* leads elsewhere: \/healthz there answers 404/,
  );
});

test("a certificate that has expired is to be renewed", async () => {
  // The certificate that the package smtp-server contains has expired.
  const tls = new SMTPServer({ secure: true, logger: false });
  tls.on("error", () => {});
  const siteUrl = `https://127.0.0.1:${await listenOnLoopback(tls.server)}`;
  onTestFinished(() => new Promise<void>((closed) => tls.close(closed)));
  expect((await checkAddress({ ...(await serve("a")), siteUrl, hostedUrl })).at(-1)).toMatchObject({
    saw: `${siteUrl} could not be trusted: its certificate has expired.`,
    todo: expect.stringMatching(/^Renew it/),
  });
});

test("behind TLS, a proxy is told that TRUST_PROXY does not name, and one that passes no address", () => {
  const proxies = ["unknown", "none", "behind another", "trusted"];
  const findings = proxies.map((proxy) => checkProxy({ health: { proxy } }, "https://heron.com"));
  expect(linesOf(findingsOf(...findings))).toEqual([
    "BROKEN TRUST_PROXY does not name the proxy, so all visitors count as one.",
    "BROKEN The proxy does not pass X-Forwarded-For, so all visitors count as one.",
    "BROKEN A CDN or another proxy is in front of the one that TRUST_PROXY names, so all visitors count as few.",
    "ok The proxy passes the visitors' addresses, and TRUST_PROXY names it.",
  ]);
  expect(findingsOf(checkProxy({ health: { proxy: "none" } }, "http://localhost:3000"))).toEqual([]);
});

test("a certificate that ends within 14 days is told", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const certificate = (day: string) =>
    checkCertificate({ health: {}, certificateEnds: new Date(`${day}T13:00:00Z`) }, "https://heron.com", now);
  expect(linesOf(findingsOf(certificate("2026-11-30"), certificate("2027-01-01")))).toEqual([
    "BROKEN The certificate of https://heron.com expires in 8 days.",
    "ok The certificate is good for 40 days.",
  ]);
});
