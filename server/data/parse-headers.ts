import { refusals } from "./refusals.ts";

export type Media = "application/json" | "application/vnd.pgrst.object+json";

export interface Preferences {
  missing: "default" | "null" | undefined;
  return: "minimal" | "representation" | "headers-only" | undefined;
  count: "exact" | "planned" | "estimated" | undefined;
  handling: "strict" | "lenient" | undefined;
}

/** In the order in which `Preference-Applied` repeats them (protocol section 4.2). */
const known: { readonly [name in keyof Preferences]: readonly string[] } = {
  missing: ["default", "null"],
  return: ["minimal", "representation", "headers-only"],
  count: ["exact", "planned", "estimated"],
  handling: ["strict", "lenient"],
};

/** The first value given for a preference counts. What is unknown is ignored, unless the client asks to be strict. */
export function parsePreferences(header: string | undefined): Preferences {
  const wishes = (header ?? "").split(",").flatMap((wish) => wish.trim() || []);
  const chosen = (name: keyof Preferences) => known[name].find((value) => wishes.includes(`${name}=${value}`));

  if (wishes.some((wish) => /^resolution=/.test(wish))) throw refusals.upsert();
  const preferences = Object.fromEntries(
    Object.keys(known).map((name) => [name, chosen(name as keyof Preferences)]),
  ) as unknown as Preferences;

  const strange = wishes.filter((wish) => !isKnown(wish));
  if (preferences.handling === "strict" && strange.length > 0) throw refusals.invalidPreferences(strange);
  return preferences;
}

function isKnown(wish: string): boolean {
  return Object.entries(known).some(([name, values]) => values.some((value) => wish === `${name}=${value}`));
}

/** The best of the two media types this server writes; `*` and nothing mean JSON (protocol section 4.3). */
export function parseAccept(header: string | undefined): Media {
  const wanted = (header || "*/*").split(",").map(readMediaRange);
  // `sort` keeps the client's order among equals.
  for (const { type } of wanted
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)) {
    if (type === "application/vnd.pgrst.object+json") return type;
    if (type === "application/json" || type === "application/*" || type === "*/*") return "application/json";
  }
  throw refusals.unsupportedMediaType(wanted.map(({ type }) => type).join(", "));
}

/** Parameters belong to the type (`;nulls=stripped` asks for another answer), except for quality and charset. */
function readMediaRange(text: string): { type: string; quality: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const rest = parameters.filter((parameter) => !/^(q|charset)=/.test(parameter));
  return { type: [type, ...rest].join(";"), quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}

export interface Window {
  offset: number;
  /** Undefined: as many as the server gives. */
  limit: number | undefined;
}

/** `limit`, `offset` and, on GET, the Range header, with the odd rules of protocol section 4.3. */
export function parseWindow(limitText: string | undefined, offsetText: string | undefined, range: string | undefined) {
  const limit = readWholeNumber(limitText);
  if (limit !== undefined && limit < 0) throw refusals.negativeLimit();
  const window: Window = { offset: Math.max(0, readWholeNumber(offsetText) ?? 0), limit };

  const [, from, to] = /^(\d+)-(\d*)$/.exec(range?.trim() ?? "") ?? [];
  return from === undefined ? window : intersect(window, Number(from), to ? Number(to) : Infinity);
}

function intersect({ offset, limit = Infinity }: Window, from: number, to: number): Window {
  const first = Math.max(offset, from);
  const last = Math.min(offset + limit - 1, to);
  if (from > to || (last < first && limit > 0)) throw refusals.reversedRange();
  return { offset: readable(first), limit: last === Infinity ? undefined : readable(last - first + 1) };
}

function readWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? readable(Number(text)) : undefined;
}

/** Beyond this, PostgreSQL would read neither limit nor offset, and no table has a row there. */
function readable(count: number): number {
  return Math.max(-1, Math.min(count, Number.MAX_SAFE_INTEGER));
}
