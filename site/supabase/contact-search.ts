import { invisible } from "#validation/contact";

/** What a word of a search asks of a column, with an operator of the data API. */
type SearchCondition = [column: string, operator: "like" | "ilike" | "eq", value: string];

const wordsMax = 8;
/** The limit of a search (docs/specification.md#search-and-counts). */
export const searchLengthMax = 200;
const separators = new RegExp(`[\\p{Cc}${invisible}]+`, "u");

/** What a search asks for: a contact must meet every condition (docs/specification.md#search-and-counts). */
export function parseSearch(search: string): SearchCondition[] {
  const words = [...search.toLowerCase()].slice(0, searchLengthMax).join("").split(separators);
  const searched = new Set(words.filter((word) => toSearchText(word) !== ""));
  return [...searched].slice(0, wordsMax).map(toCondition);
}

function toCondition(word: string): SearchCondition {
  const [, kind, source = ""] = /^(site|campaign|page):(.*)/u.exec(word) ?? [];
  if (kind === "site") return ["referrer", "eq", source];
  if (kind === "campaign") return ["campaign", "eq", source.replaceAll("+", " ").replaceAll("%2b", "+")];
  if (kind === "page") return ["first_page", "ilike", escapePattern(source)];
  // One letter can become eighteen, and addresses of requests have a maximum length.
  const text = [...toSearchText(word)].slice(0, searchLengthMax).join("");
  return ["search_text", "like", `%${escapePattern(text)}%`];
}

/**
 * The text as the column `search_text` has it (supabase/migrations/): in lower case, without accents, apostrophes and the
 * characters that are removed from a contact. Letters that Unicode does not divide into a letter and an accent are
 * replaced one by one.
 */
export function toSearchText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[łøđħıςßæœ]/g, (letter) => replacements[letter] ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f<>"']/g, "");
}

const replacements: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ħ: "h",
  ı: "i",
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
};

/** The data API takes an asterisk for a percent sign, with a backslash too, so it stands for any one character. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&").replaceAll("*", "_");
}
