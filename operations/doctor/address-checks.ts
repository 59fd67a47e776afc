import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TLSSocket } from "node:tls";
import { describeRequestError } from "#process/network-error";
import { readAnswer } from "#process/read-answer";
import type { Settings } from "#server/settings";
import { broken, type Candidate, countOf, type Finding, findingsOf, look, ok } from "./finding.ts";

const secondsMax = 8;
const certificateDaysMin = 14;

/** Hosts that are not on the internet; `.test` and the like are reserved (RFC 6761). */
const notPublic = /^(localhost|127\.[\d.]+|\[::1\]|.*\.(example|invalid|localhost|test))$/;

/**
 * Asks the public address as a visitor does, and compares who answers with the server on this machine. One that publishes
 * no key of the database, if there are any (`ownKeys`), is another site on the same port.
 */
export async function checkAddress(
  settings: Pick<Settings, "siteUrl" | "host" | "port" | "hostedUrl">,
  ownKeys: readonly string[] = [],
) {
  const { siteUrl, host, port } = settings;
  const local = `http://${localName(host)}:${port}`;
  const [there, here, published] = await Promise.all([
    ask(`${siteUrl}/healthz`),
    ask(`${local}/healthz`),
    ask(`${local}/auth/v1/.well-known/jwks.json`),
  ]);
  const isOther = ownKeys.length > 0 && published.health.keys?.every(({ kid }) => !ownKeys.includes(kid));
  return findingsOf(
    checkSiteUrl(siteUrl),
    isOther
      ? broken(
          `Another site answers at ${local}: its keys are not in the database of this one.`,
          "Stop it, or set another PORT. If it is this site, the doctor has other settings than it (ENV_FILE).",
        )
      : compareInstances(there, here, { ...settings, local }),
    checkProxy(there, siteUrl),
    checkCertificate(there, siteUrl),
  );
}

function isLocal(siteUrl: string): boolean {
  return notPublic.test(new URL(siteUrl).hostname);
}

function checkSiteUrl(siteUrl: string): Candidate {
  if (isLocal(siteUrl))
    return look(
      `SITE_URL is ${siteUrl}, which only this machine knows.`,
      "Set it to the public address: links in emails and pages lead there.",
    );
  return (
    !siteUrl.startsWith("https:") &&
    broken(
      `SITE_URL is ${siteUrl}, without TLS: passwords and contacts can be read on the way.`,
      "Put a proxy with TLS in front (deploy/Caddyfile), and write SITE_URL with https.",
    )
  );
}

export interface Answer {
  /** Why there was no answer, in words that follow the address. */
  problem?: string;
  status?: number;
  /** What `/healthz` answers (docs/protocol.md#health), or the published keys. */
  health: { instance?: string; proxy?: string; keys?: readonly { kid: string }[] };
  certificateEnds?: Date;
}

const renew =
  "Renew it or replace it, and find out why that did not happen by itself: visitors get a warning instead of the site.";

function compareInstances(
  there: Answer,
  here: Answer,
  { siteUrl, local, hostedUrl }: { siteUrl: string; local: string; hostedUrl: string | undefined },
): Finding {
  const [remote, own] = [there.health.instance, here.health.instance];
  const elsewhere = own
    ? `The server itself answers at ${local}: see DNS, firewall and proxy.`
    : `Nor does a server answer at ${local}: npm start.`;
  if (there.problem && own === undefined && isLocal(siteUrl))
    return look(`No server answers at ${siteUrl}.`, "npm start, then run the doctor again.");
  if (there.problem)
    return broken(`${siteUrl} ${there.problem}.`, there.problem.startsWith("could not be trusted") ? renew : elsewhere);
  if (remote === undefined)
    return hostedUrl === undefined
      ? broken(`${siteUrl} leads elsewhere: /healthz there answers ${there.status}, but not from this site.`, elsewhere)
      : ok(`${siteUrl} answers; its pages come from another host than this server.`);
  return remote === own
    ? ok(`${siteUrl} leads to the server on this machine.`)
    : look(
        `${siteUrl} leads to another server than ${local}${own ? "" : ", where none answers"}.`,
        "That is fine if several servers share the address or it is on another machine. Otherwise see DNS, proxy, HOST and PORT.",
      );
}

const proxyFindings: Readonly<Record<string, Finding>> = {
  unknown: broken(
    "TRUST_PROXY does not name the proxy, so all visitors count as one.",
    "Set it to the proxy's address: loopback, if it is on this machine.",
  ),
  none: broken(
    "The proxy does not pass X-Forwarded-For, so all visitors count as one.",
    "See deploy/Caddyfile or deploy/nginx.conf for the headers to pass.",
  ),
  "behind another": broken(
    "A CDN or another proxy is in front of the one that TRUST_PROXY names, so all visitors count as few.",
    "See “Behind a CDN” in docs/deploying.md.",
  ),
  trusted: ok("The proxy passes the visitors' addresses, and TRUST_PROXY names it."),
};

/** This server speaks no TLS, so an https address has a proxy in front. */
export function checkProxy({ health }: Answer, siteUrl: string): Candidate {
  return siteUrl.startsWith("https:") && proxyFindings[health.proxy ?? ""];
}

export function checkCertificate({ certificateEnds }: Answer, siteUrl: string, now = Date.now()): Candidate {
  if (!certificateEnds) return undefined;
  const days = Math.floor((certificateEnds.getTime() - now) / (24 * 60 * 60 * 1000));
  return days < certificateDaysMin
    ? broken(`The certificate of ${siteUrl} expires in ${countOf(days, "day")}.`, renew)
    : ok(`The certificate is good for ${days} days.`);
}

function localName(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
}

/** One request, without following a redirect. `fetch` would not show the certificate. */
function ask(address: string): Promise<Answer> {
  return new Promise((resolve) => {
    const send = address.startsWith("https:") ? httpsRequest : httpRequest;
    const request = send(address, { agent: false, signal: AbortSignal.timeout(secondsMax * 1000) });
    request.once("error", (error) => resolve({ problem: explain(error), health: {} }));
    request.once("response", async (response) => {
      const certificate = (response.socket as TLSSocket).getPeerCertificate?.();
      const body = await readAnswer(response).catch(() => "");
      resolve({
        status: response.statusCode ?? 0,
        health: readHealth(body),
        ...(certificate?.valid_to && { certificateEnds: new Date(certificate.valid_to) }),
      });
    });
    request.end();
  });
}

function readHealth(body: string): Answer["health"] {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

function explain(error: Error): string {
  const isLate = error.name === "AbortError" || error.name === "TimeoutError";
  return isLate ? `did not answer within ${secondsMax} seconds` : describeRequestError(error);
}
