import { cleanText } from "./contact.ts";

/** Where a visit or a contact came from. What is not known is absent. */
export interface Source {
  /** The host of the page with the link to this site. */
  referrer?: string | undefined;
  /** Such as "newsletter / email / spring". */
  campaign?: string | undefined;
  /** The path of the page that was visited first, as far as it is known. */
  page?: string | undefined;
}

/** The longest host, path and part of a campaign in characters. */
const lengthMax = 100;

/**
 * Reads a source from the addresses of a page and of the page before it, as `document.referrer` or the header `Referer`
 * has it. If that is a page of this site too, it came first (docs/specification.md#sources-of-contacts).
 */
export function readSource(address: string, referrer: string): Source {
  const page = new URL(address);
  const before = parseAddress(referrer);
  const first = before?.origin === page.origin ? before : page;
  const partOf = (name: string) => cleanPart(first.searchParams.get(name) ?? "");
  const campaign = [partOf("utm_source") || partOf("ref"), partOf("utm_medium"), partOf("utm_campaign")];
  return {
    referrer: first === page ? keepIfShort(before?.hostname) : undefined,
    campaign: campaign.filter(Boolean).join(" / ") || undefined,
    page: keepIfShort(first.pathname),
  };
}

/** `URL.canParse` is newer than the oldest browser of the form (docs/specification.md#browsers). */
function parseAddress(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** Some programs for mails put the reader's address into the link, which would name a person. */
function cleanPart(raw: string): string {
  return raw.includes("@") ? "" : cleanText(raw, lengthMax).replace(/\s+/g, " ");
}

function keepIfShort(text = ""): string | undefined {
  return text.length <= lengthMax && text !== "" ? text : undefined;
}

/**
 * The headers of a request that inserts a contact from this source. The client sends `X-Client-Info` anyway, so every
 * gateway lets it through (docs/protocol.md#source-of-a-contact). A header has ASCII only.
 */
export function sourceHeaders(source: Source): Record<string, string> {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { "x-client-info": JSON.stringify(source).replace(/[\u007f-\uffff]/g, escaped) };
}
