import { refusals } from "./refusals.ts";

export type Media = "application/json" | "application/vnd.pgrst.object+json";

export interface Preferences {
  missing: "default" | "null" | undefined;
  return: "minimal" | "representation" | "headers-only" | undefined;
  count: "exact" | "planned" | "estimated" | undefined;
  handling: "strict" | "lenient" | undefined;
  /** Takes effect only with strict handling. */
  "max-affected": number | undefined;
}

/**
 * The allowed values of each preference that is no number. The preferences are in the order in which the header
 * `Preference-Applied` names them (docs/protocol.md#preferences).
 */
const known: { readonly [name in Exclude<keyof Preferences, "max-affected">]: readonly string[] } = {
  missing: ["default", "null"],
  return: ["minimal", "representation", "headers-only"],
  count: ["exact", "planned", "estimated"],
  handling: ["strict", "lenient"],
};

/**
 * If one preference has several values, the first of them in `known` counts. Unknown preferences are ignored, unless
 * the client asks for strict handling.
 */
export function parsePreferences(header: string | undefined): Preferences {
  const given = (header ?? "").split(",").flatMap((item) => item.trim() || []);
  const chosen = Object.entries(known).map(([name, values]) => [
    name,
    values.find((value) => given.includes(`${name}=${value}`)),
  ]);
  const [, affectedMax] = given.map((item) => maxAffected.exec(item)).find((found) => found !== null) ?? [];

  if (given.some((item) => item.startsWith("resolution="))) throw refusals.upsert();
  const preferences: Preferences = {
    ...Object.fromEntries(chosen),
    "max-affected": affectedMax === undefined ? undefined : Number(affectedMax),
  };

  const unknown = given.filter((item) => !isKnown(item));
  if (preferences.handling === "strict" && unknown.length > 0) throw refusals.invalidPreferences(unknown);
  return preferences;
}

/** More digits could lose their value as a number. */
const maxAffected = /^max-affected=(\d{1,15})$/;

function isKnown(item: string): boolean {
  if (maxAffected.test(item)) return true;
  return Object.entries(known).some(([name, values]) => values.some((value) => item === `${name}=${value}`));
}

/** Of the two media types this server writes, returns the one the client prefers (docs/protocol.md#media-types). */
export function parseAccept(header: string | undefined): Media {
  const ranges = (header || "*/*").split(",").map(readMediaRange);
  // Types of equal quality (`q=`) stay in the order of the client, because `sort` is stable.
  for (const { type } of ranges
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)) {
    if (type === "application/vnd.pgrst.object+json") return type;
    if (type === "application/json" || type === "application/*" || type === "*/*") return "application/json";
  }
  throw refusals.unsupportedMediaType(ranges.map(({ type }) => type).join(", "));
}

/**
 * Removes only the parameters for quality and charset. Other parameters, such as `;nulls=stripped`, stay part of the
 * type: this server does not write such a variant, so the type is then refused.
 */
function readMediaRange(text: string): { type: string; quality: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const rest = parameters.filter((parameter) => !/^(q|charset)=/.test(parameter));
  return { type: [type, ...rest].join(";"), quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}

export interface Window {
  offset: number;
  /** The maximum number of rows to return. If it is undefined, the maximum of the server applies. */
  limit: number | undefined;
}

/** Combines `limit`, `offset` and, on GET, the Range header into one window (docs/protocol.md#row-window). */
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
  return { offset: clamp(first), limit: last === Infinity ? undefined : clamp(last - first + 1) };
}

function readWholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? clamp(Number(text)) : undefined;
}

/** Limits the number to one that PostgreSQL accepts as a limit or offset; every negative number becomes -1. */
function clamp(count: number): number {
  return Math.max(-1, Math.min(count, Number.MAX_SAFE_INTEGER));
}
