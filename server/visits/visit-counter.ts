import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isbot } from "isbot";
import type { Pool } from "pg";
import type { BaseLogger } from "pino";
import { keepsSources } from "#content/visit-sources";
import { readSource, type Source } from "#validation/source";

export interface VisitCounter {
  /** Counts a request that was answered with a page, if it is a visit. */
  count: (request: IncomingMessage) => void;
  /** Writes what was counted since the last time. After a failure, the next call writes it. */
  write: () => Promise<void>;
  /** Writes for the last time. */
  stop: () => Promise<void>;
}

const writeMilliseconds = 60_000;
/** Beyond this number in a minute, visits of further addresses count without their source. */
const addressesMax = 2000;
const addressesLengthMax = 1000;

/**
 * Counts visits in memory, and writes them once a minute; undefined if the setting is off. A visit is a person's way to a
 * page from outside of the site: further pages do not count (docs/specification.md#sources-of-contacts).
 */
export function createVisitCounter(
  owner: Pool,
  siteUrl: string,
  log: Pick<BaseLogger, "warn">,
): VisitCounter | undefined {
  if (!keepsSources) return undefined;
  // By path and referrer as they were sent: reading the source from them for each request would cost more than the page.
  let counts = new Map<string, number>();

  function add(addresses: string, visits: number) {
    const key = counts.size < addressesMax || counts.has(addresses) ? addresses : pathIn(addresses);
    counts.set(key, (counts.get(key) ?? 0) + visits);
  }

  /** A page of this site as referrer would be counted in place of the page that was sent, and can be invented. */
  function sourceOf(addresses: string): Source {
    const [path, referrer = ""] = addresses.split(" ");
    return readSource(`${siteUrl}${path}`, `${referrer}/`.startsWith(`${siteUrl}/`) ? "" : referrer);
  }

  async function write() {
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    try {
      const visits = [...taken].map(([addresses, number]) => ({ ...sourceOf(addresses), visits: number }));
      await owner.query("select private.add_visits($1)", [JSON.stringify(visits)]);
    } catch (error) {
      log.warn(`Visits could not be written and will be in a minute: ${(error as Error).message}`);
      for (const [addresses, number] of taken) add(addresses, number);
    }
  }

  const timer = setInterval(write, writeMilliseconds).unref();
  return {
    count(request) {
      if (!isVisit(request)) return;
      const { url = "", headers } = request;
      const addresses = `${url} ${headers.referer ?? ""}`;
      add(asksForPrivacy(headers) || addresses.length > addressesLengthMax ? pathIn(url) : addresses, 1);
    },
    write,
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

/** Whether the visitor's browser asks for privacy by Global Privacy Control or Do Not Track. */
export function asksForPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers["sec-gpc"] === "1" || headers.dnt === "1";
}

const pathIn = (addresses: string) => /^[^? ]*/.exec(addresses)?.[0] ?? "";

/** A browser comes from elsewhere, and a person sees the page (w3.org/TR/fetch-metadata). */
function isVisit({ method, headers }: IncomingMessage): boolean {
  return (
    headers["sec-fetch-dest"] === "document" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-site"] !== "same-origin" &&
    headers["sec-purpose"] === undefined &&
    method === "GET" &&
    !isKnownBot(headers["user-agent"] ?? "")
  );
}

/** No browser has a longer name. */
const nameLengthMax = 500;

function isKnownBot(name: string): boolean {
  return name.length > nameLengthMax || isbot(name);
}
