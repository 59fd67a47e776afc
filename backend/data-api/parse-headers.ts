import { refusals } from "./refusals.ts";

export interface Preferences {
  /** A key that a row of an insert lacks means the column's default, otherwise null. */
  fillsDefaults: boolean;
  /** The answer to a write has the rows. */
  returnsRows: boolean;
  /**
   * A client may also ask for a planned or an estimated count. It gets the exact count, because the planner's estimate is
   * wrong under row-level security (docs/protocol.md#counts).
   */
  countsAll: boolean;
  /** How many rows the request may change at most. */
  affectedMax: number | undefined;
}

const known =
  /^(missing=(default|null)|return=(minimal|representation|headers-only)|count=(exact|planned|estimated)|handling=(strict|lenient)|max-affected=\d{1,15})$/;

/** Unknown preferences are ignored, unless the client asks for strict handling (docs/protocol.md#preferences). */
export function parsePreferences(header = ""): Preferences {
  const given = header.split(",").flatMap((item) => item.trim() || []);
  if (given.some((item) => item.startsWith("resolution="))) throw refusals.upsert();
  const isStrict = given.includes("handling=strict");
  const unknown = given.filter((item) => !known.test(item));
  if (isStrict && unknown.length > 0) throw refusals.invalidPreferences(unknown);

  const affected = given.find((item) => item.startsWith("max-affected="))?.split("=")[1];
  return {
    fillsDefaults: given.includes("missing=default"),
    returnsRows: given.includes("return=representation"),
    countsAll: given.some((item) => known.test(item) && item.startsWith("count=")),
    affectedMax: isStrict && affected !== undefined ? Number(affected) : undefined,
  };
}

const objectType = "application/vnd.pgrst.object+json";
const offered = [objectType, "application/json", "application/*", "*/*"];

/**
 * Whether the client wants one object in place of an array. The first type that this server writes counts. A variant,
 * such as `;nulls=stripped`, is another type (docs/protocol.md#media-types).
 */
export function parseAccept(header = "*/*"): boolean {
  const types = header.split(",").map(withoutQuality);
  const chosen = types.find((type) => offered.includes(type));
  if (header !== "" && chosen === undefined) throw refusals.unsupportedMediaType(types.join(", "));
  return chosen === objectType;
}

function withoutQuality(range: string): string {
  const parts = range.split(";").map((part) => part.trim().toLowerCase());
  return parts.filter((part) => !/^(q|charset)=/.test(part)).join(";");
}
