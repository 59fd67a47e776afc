import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { checkAddress, checkDate, checkProxy, checkRedirect, checkTls } from "./address-checks.ts";
import { type Candidate, type Finding, findingsOf } from "./finding.ts";

const linesOf = (findings: readonly Finding[]) => findings.map(({ level, saw }) => `${level} ${saw}`);
const linesIf = (...candidates: Candidate[]) => linesOf(findingsOf(...candidates));
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
    `look ${there.siteUrl} leads to a different server from the one at ${here.siteUrl}.`,
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

test("another site on the port of this one is BROKEN, whether or not the site's address leads there", async () => {
  const [own, other] = [await serve("a", "owl"), await serve("b", "hen")];
  expect(linesOf(await checkAddress({ ...own, hostedUrl }, [{ kid: "hoo" }, { kid: "owl" }])).at(-1)).toMatch(
    /^ok .* this machine\.$/,
  );
  for (const siteUrl of [other.siteUrl, own.siteUrl, "http://127.0.0.1:9"])
    expect(linesOf(await checkAddress({ ...other, siteUrl, hostedUrl }, [{ kid: "hoo" }, { kid: "owl" }])).at(-1)).toBe(
      `BROKEN Another site answers at ${other.siteUrl}: its keys are not in the database of this one.`,
    );
});

test("a program on the port that is no server of ours is not taken for one", async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  const settings = { siteUrl: "http://127.0.0.1:9", host: "127.0.0.1", port, hostedUrl };
  expect((await checkAddress(settings)).at(-1)?.todo).toMatch(/^(npm start|Nor does a server answer)/);
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
  onTestFinished(() => new Promise<void>((closed) => tls.close(closed)));
  tls.on("error", () => {});
  tls.listen(0, "127.0.0.1");
  await once(tls.server, "listening");
  const siteUrl = `https://127.0.0.1:${(tls.server.address() as AddressInfo).port}`;
  expect((await checkAddress({ ...(await serve("a")), siteUrl, hostedUrl })).at(-1)).toMatchObject({
    saw: `${siteUrl} could not be trusted: its certificate has expired.`,
    todo: expect.stringMatching(/^Renew it/),
  });
});

test("a proxy that does not reach the server is told", async () => {
  const here = await serve("a");
  const proxy = Fastify();
  onTestFinished(() => proxy.close());
  proxy.setNotFoundHandler((_request, reply) => reply.code(502).send());
  const siteUrl = await proxy.listen({ host: "127.0.0.1", port: 0 });
  expect((await checkAddress({ ...here, siteUrl, hostedUrl })).at(-1)).toMatchObject({
    level: "BROKEN",
    saw: `The proxy of ${siteUrl} answers 502: it does not reach the server.`,
    todo: `The server answers at ${here.siteUrl}: see the proxy's log.`,
  });
});

test("a proxy that is not trusted, and one that passes no address, are told", () => {
  expect(linesOf(checkProxy({ health: { proxy: "unknown" } }, true))).toEqual([
    "BROKEN TRUST_PROXY does not name the proxy, so all visitors count as one.",
  ]);
  expect(linesOf(checkProxy({ health: { proxy: "none" } }, true))[0]).toMatch(
    /^BROKEN The proxy does not pass X-Forwarded-For/,
  );
  expect(linesOf(checkProxy({ health: { proxy: "trusted" } }, true))[0]).toMatch(/^ok /);
  expect(linesOf(checkProxy({ health: { proxy: "behind another" } }, true))).toEqual([
    "BROKEN A CDN or another proxy is in front of the one that TRUST_PROXY names, so all visitors count as few.",
  ]);
});

test("a proxy that does not pass Host is told", async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.get("/healthz", async () => ({ status: "ok", instance: "a", proxy: "none", host: "other" }));
  const siteUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  const findings = await checkAddress({ siteUrl, host: "127.0.0.1", port: Number(new URL(siteUrl).port), hostedUrl });
  expect(linesOf(findings)).toContainEqual(expect.stringMatching(/^look The proxy does not pass Host /));
});

test("a certificate that ends within 14 days and a missing HSTS header are told", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const ending = (day: string) => ({
    certificateEnds: new Date(`${day}T13:00:00Z`),
    headers: { "strict-transport-security": "max-age=1" },
  });
  expect(linesOf(checkTls(ending("2026-11-30"), "https://heron.com", now))).toEqual([
    "BROKEN The certificate of https://heron.com expires in 8 days.",
  ]);
  expect(linesOf(checkTls(ending("2027-01-01"), "https://heron.com", now))).toEqual([
    "ok The certificate is good for 40 days.",
  ]);
  expect(linesOf(checkTls({ status: 200 }, "https://heron.com", now)).at(-1)).toMatch(
    /^look The header Strict-Transport-Security/,
  );
});

test("http that does not lead to https, and clocks that differ, are told", () => {
  expect(linesIf(checkRedirect({ status: 308, headers: { location: "https://heron.com/" } }, "heron.com"))).toEqual([]);
  expect(linesIf(checkRedirect({ problem: "could not be reached" }, "heron.com"))).toEqual([]);
  expect(linesIf(checkRedirect({ status: 200, headers: {} }, "heron.com"))).toEqual([
    "look http://heron.com answers 200 and does not lead to https.",
  ]);
  const now = Date.parse("2026-11-22T12:00:00Z");
  const dated = (date: string, age?: string) => checkDate({ headers: { date, ...(age && { age }) } }, now);
  expect(linesIf(dated("Sun, 22 Nov 2026 12:01:00 GMT"))).toEqual([
    "BROKEN The clocks of this machine and the address differ by 60 seconds: codes of authenticator apps fail.",
  ]);
  expect(linesIf(dated("Sun, 22 Nov 2026 12:00:04 GMT"), dated("Sun, 22 Nov 2026 11:00:00 GMT", "3600"))).toEqual([]);
});
