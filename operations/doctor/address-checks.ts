import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TLSSocket } from "node:tls";
import { describeNetworkError } from "#backend/http/network-error";
import { readAnswer } from "#backend/http/read-answer";
import type { Settings } from "#server/settings";
import { isPublic } from "./find-placeholders.ts";
import { broken, type Candidate, clocksDiffer, countOf, type Finding, findingsOf, look, ok } from "./finding.ts";

const secondsMax = 8;
const certificateDaysMin = 14;

type KeyIds = readonly { kid: string }[];
type AddressSettings = Pick<Settings, "siteUrl" | "host" | "port" | "hostedUrl">;

/**
 * Asks the public address as a visitor does, and compares who answers with the server on this machine. One that publishes
 * no key of the database, if there are any, is another site on the same port.
 */
export async function checkAddress(settings: AddressSettings, ownKeys: KeyIds | Promise<KeyIds> = []) {
  const { siteUrl, host, port, hostedUrl } = settings;
  const { protocol, hostname, port: ownPort } = new URL(siteUrl);
  const isHttps = protocol === "https:";
  const local = `http://${localName(host)}:${port}`;
  const [ownIds, there, here, published, redirect] = await Promise.all([
    ownKeys,
    ask(`${siteUrl}/healthz`),
    ask(`${local}/healthz`),
    ask(`${local}/auth/v1/.well-known/jwks.json`),
    isHttps && ownPort === "" ? ask(`http://${hostname}/`) : undefined,
  ]);
  const isOther =
    ownIds.length > 0 && published.health?.keys?.every(({ kid }) => ownIds.every((own) => own.kid !== kid));
  return findingsOf(
    checkSiteUrl(siteUrl, isHttps),
    isOther
      ? broken(
          `Another site answers at ${local}: its keys are not in the database of this one.`,
          "Stop it, or set another PORT. If it is this site, the doctor has other settings than it (ENV_FILE).",
        )
      : compareInstances(there, here, { siteUrl, local, hostedUrl }),
    ...checkProxy(there, isHttps),
    ...(isHttps && !there.problem ? [...checkTls(there, siteUrl), checkRedirect(redirect, hostname)] : []),
    checkDate(there),
  );
}

function checkSiteUrl(siteUrl: string, isHttps: boolean): Candidate {
  if (!isPublic(siteUrl))
    return look(
      `SITE_URL is ${siteUrl}, which only this machine knows.`,
      "Set it to the public address: links in emails and pages lead there.",
    );
  return (
    !isHttps &&
    broken(
      `SITE_URL is ${siteUrl}, without TLS: passwords and contacts can be read on the way.`,
      "Put a proxy with TLS in front (deploy/Caddyfile), and write SITE_URL with https.",
    )
  );
}

/** What `/healthz` answers (docs/protocol.md#health), and the published keys. */
interface Health {
  keys?: KeyIds;
  instance?: string;
  proxy?: string;
  host?: string;
}

export interface Answer {
  /** Why there was no answer, in words that follow the address. */
  problem?: string;
  status?: number;
  headers?: IncomingHttpHeaders;
  health?: Health;
  certificateEnds?: Date;
}

const renew =
  "Renew it or replace it, and find out why that did not happen by itself: visitors get a warning instead of the site.";

function compareInstances(
  there: Answer,
  here: Answer,
  { siteUrl, local, hostedUrl }: { siteUrl: string; local: string; hostedUrl: string | undefined },
): Finding {
  const [remote, own] = [there.health?.instance, here.health?.instance];
  if (there.problem && own === undefined && !isPublic(siteUrl))
    return look(`No server answers at ${siteUrl}.`, "npm start, then run the doctor again.");
  if (there.problem) {
    const todo = own
      ? `The server itself answers at ${local}: see DNS, firewall and proxy.`
      : `Nor does a server answer at ${local}: start it.`;
    return broken(`${siteUrl} ${there.problem}.`, there.problem.startsWith("could not be trusted") ? renew : todo);
  }
  if (remote === undefined && [502, 503, 504].includes(there.status ?? 0))
    return broken(
      `The proxy of ${siteUrl} answers ${there.status}: it does not reach the server.`,
      own === undefined ? "Start the server." : `The server answers at ${local}: see the proxy's log.`,
    );
  if (remote === undefined && hostedUrl === undefined)
    return broken(
      `${siteUrl} leads elsewhere: /healthz there answers ${there.status}, but not from this site.`,
      "See DNS and the proxy: every path must reach the server.",
    );
  if (remote === undefined) return ok(`${siteUrl} answers; its pages come from another host than this server.`);
  if (remote === own) return ok(`${siteUrl} leads to the server on this machine.`);
  return own === undefined
    ? look(
        `${siteUrl} is answered by a server, but none answers at ${local}.`,
        "That is fine if the server is on another machine. Otherwise see HOST and PORT.",
      )
    : look(
        `${siteUrl} leads to a different server from the one at ${local}.`,
        "That is fine if several servers share the address. Otherwise DNS or the proxy leads elsewhere.",
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
export function checkProxy({ health = {} }: Answer, isHttps: boolean): Finding[] {
  return findingsOf(
    isHttps && proxyFindings[health.proxy ?? ""],
    // Only the log's warning about other hosts needs the name; pages and links do not.
    health.host === "other" &&
      look(
        "The proxy does not pass Host as the visitor sent it, so the log cannot tell which domains lead here.",
        "Let it pass Host unchanged: in nginx, proxy_set_header Host $host (deploy/nginx.conf).",
      ),
  );
}

export function checkTls(
  { certificateEnds, headers = {}, status }: Answer,
  siteUrl: string,
  now = Date.now(),
): Finding[] {
  const days = certificateEnds ? Math.floor((certificateEnds.getTime() - now) / (24 * 60 * 60 * 1000)) : undefined;
  return findingsOf(
    days !== undefined && days < certificateDaysMin
      ? broken(
          `The certificate of ${siteUrl} expires in ${countOf(days, "day")}.`,
          "Renew it, and find out why that did not happen by itself.",
        )
      : ok(`The certificate is good${days === undefined ? "" : ` for ${days} days`}.`),
    // An error page of the proxy has none of the server's headers.
    !headers["strict-transport-security"] &&
      status === 200 &&
      look(
        "The header Strict-Transport-Security is missing.",
        "Let the proxy keep the server's headers, or add it there.",
      ),
  );
}

/** If http does not answer at all, that is as good as a redirect. */
export function checkRedirect({ status, headers }: Answer = {}, hostname = ""): Candidate {
  if (status === undefined || (/^3\d\d$/.test(`${status}`) && headers?.location?.startsWith("https://")))
    return undefined;
  return look(`http://${hostname} answers ${status} and does not lead to https.`, "Let the proxy redirect it.");
}

export function checkDate({ headers = {} }: Answer, now = Date.now()): Candidate {
  // The date of a cached answer says nothing about the clock.
  return headers.age === undefined && clocksDiffer("address", Date.parse(headers.date ?? "") - now);
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
    request.once("error", (error: NodeJS.ErrnoException) => resolve({ problem: explain(error) }));
    request.once("response", async (response) => {
      const certificate = (response.socket as TLSSocket).getPeerCertificate?.();
      const body = await readAnswer(response).catch(() => "");
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        health: readHealth(body),
        ...(certificate?.valid_to && { certificateEnds: new Date(certificate.valid_to) }),
      });
    });
    request.end();
  });
}

function readHealth(body: string): Health {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

function explain({ code, name, message }: NodeJS.ErrnoException): string {
  if (name === "AbortError" || name === "TimeoutError") return `did not answer within ${secondsMax} seconds`;
  return describeNetworkError(code) ?? `could not be reached: ${message || code}`;
}
